package io.ananas.recursor.dnssec;

/** What became of the signatures of an RRset: one holds, or why none does. */
sealed interface Checked permits Valid, Failure {}
