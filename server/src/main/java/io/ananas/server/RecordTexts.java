package io.ananas.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedErrorCodeOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** The records of a message in master file form, section by section, for people. */
final class RecordTexts {
    private RecordTexts() {}

    /** Sections that are not empty; {@code reasons} for Extended DNS Errors. */
    static Map<String, List<String>> of(byte[] message) {
        final Map<String, List<String>> sections = new LinkedHashMap<>();
        try {
            final Message parsed = new Message(message);
            put(sections, "answer", texts(parsed, Section.ANSWER));
            put(sections, "authority", texts(parsed, Section.AUTHORITY));
            put(sections, "additional", texts(parsed, Section.ADDITIONAL));
            put(sections, "reasons", reasons(parsed.getOPT()));
            return sections;
        } catch (IOException e) {
            throw new IllegalStateException("the cache holds a message that is not sound", e);
        }
    }

    private static void put(Map<String, List<String>> sections, String name, List<String> texts) {
        if (!texts.isEmpty()) {
            sections.put(name, texts);
        }
    }

    private static List<String> texts(Message message, int section) {
        return message.getSection(section).stream()
                .filter(record -> record.getType() != Type.OPT)
                .map(Record::toString)
                .map(text -> text.replaceAll("\t+", " "))
                .toList();
    }

    private static List<String> reasons(@Nullable OPTRecord opt) {
        final List<String> reasons = new ArrayList<>();
        if (opt != null) {
            for (EDNSOption option : opt.getOptions(EDNSOption.Code.EDNS_EXTENDED_ERROR)) {
                if (option instanceof ExtendedErrorCodeOption error) {
                    reasons.add("EDE %d: %s".formatted(error.getErrorCode(), error.getText()));
                }
            }
        }
        return reasons;
    }
}
