package io.ananas.recursor;

import io.ananas.message.Name;
import io.ananas.message.RecordType;

/** What is asked: a name, in any case, and a type of class IN. */
record QuestionKey(Name name, int type) {
    @Override
    public String toString() {
        return name + " " + RecordType.text(type);
    }
}
