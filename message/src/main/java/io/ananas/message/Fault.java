package io.ananas.message;

/** What is wrong with a message: what {@link MessageView#parse} returns. */
public enum Fault {
    /** Nothing: the message is sound. */
    NONE("nothing"),
    HEADER("fewer than the 12 octets of a header, or more than 65,535 in all"),
    QUESTIONS("more than one question"),
    TRUNCATED("the counts in the header promise more than the message holds"),
    POINTER("a compression pointer that does not go strictly backwards into the message"),
    LABEL("a label type other than 00 and 11"),
    NAME("a name longer than 255 octets, or one with more than 126 pointers"),
    RDATA("rdata that does not fit its type or its length"),
    EDNS("more than one OPT record, or one outside the additional section or not at the root"),
    OPTION("an EDNS option that reaches beyond its record"),
    WORK("names of more than 1 MiB when expanded");

    private final String text;

    Fault(String text) {
        this.text = text;
    }

    /** What was found, for people. */
    public String text() {
        return text;
    }
}
