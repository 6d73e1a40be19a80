/* A minimal DNS server: every query gets one A record. See README.md. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define BATCH 64
#define SIZE 4096

static unsigned char in[BATCH][SIZE], out[BATCH][SIZE];

/* Header and question of the query, then the record; 0 for what is no query. */
static size_t answer(const unsigned char *query, size_t length, unsigned char *reply) {
    static const unsigned char record[] = {0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4, 192, 0, 2, 1};
    size_t end = 12;
    if (length < 17 || (query[2] & 0x80) != 0) return 0;
    while (end < length && query[end] != 0) end += 1 + query[end];
    end += 5;
    if (end > length || end + sizeof record > SIZE) return 0;
    memcpy(reply, query, end);
    reply[2] = 0x80 | (query[2] & 1);
    reply[3] = 0x80;
    memset(reply + 4, 0, 8);
    reply[5] = reply[7] = 1;
    memcpy(reply + end, record, sizeof record);
    return end + sizeof record;
}

int main(int argc, char **argv) {
    struct sockaddr_in address = {.sin_family = AF_INET}, from[BATCH];
    struct iovec iin[BATCH], iout[BATCH];
    struct mmsghdr min[BATCH], mout[BATCH];
    if (argc != 3 || inet_pton(AF_INET, argv[1], &address.sin_addr) != 1) {
        fprintf(stderr, "usage: udp-ceiling ADDRESS PORT\n");
        return 2;
    }
    address.sin_port = htons((unsigned short) atoi(argv[2]));
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    if (s < 0 || bind(s, (struct sockaddr *) &address, sizeof address) != 0) {
        perror("udp-ceiling");
        return 1;
    }
    memset(min, 0, sizeof min);
    memset(mout, 0, sizeof mout);
    for (int i = 0; i < BATCH; i++) {
        iin[i] = (struct iovec) {in[i], SIZE};
        min[i].msg_hdr = (struct msghdr) {.msg_name = &from[i], .msg_iov = &iin[i], .msg_iovlen = 1};
    }
    for (;;) {
        for (int i = 0; i < BATCH; i++) min[i].msg_hdr.msg_namelen = sizeof from[i];
        int n = recvmmsg(s, min, BATCH, MSG_WAITFORONE, NULL);
        if (n < 0) {
            if (errno == EINTR) continue;
            perror("recvmmsg");
            return 1;
        }
        int replies = 0;
        for (int i = 0; i < n; i++) {
            size_t length = answer(in[i], min[i].msg_len, out[replies]);
            if (length == 0) continue;
            iout[replies] = (struct iovec) {out[replies], length};
            mout[replies].msg_hdr = (struct msghdr) {
                .msg_name = &from[i], .msg_namelen = min[i].msg_hdr.msg_namelen, .msg_iov = &iout[replies], .msg_iovlen = 1};
            replies++;
        }
        for (int sent = 0; sent < replies;) {
            int m = sendmmsg(s, mout + sent, replies - sent, 0);
            sent += m > 0 ? m : 1;
        }
    }
}
