package io.ananas.cache;
import io.ananas.message.*;
import java.util.*;
import org.junit.jupiter.api.Test;
class TmpTest {
  @Test void x() {
    try (AnswerCache cache = AnswerCache.open(CacheOptions.ofSize(1<<22), new Random(9)); CacheReader reader = cache.newReader(); Packets p = new Packets()) {
      for (int n=0;n<3000;n++) { Name name = Name.of("name-"+n+".example.");
       cache.insert(Answers.numbered(name, n, 1+n%6), 1000);
       byte[] r = p.answer(reader, p.ask(name, RecordType.A, 0x100, 1232, true), 1001, 1232);
       MessageView v = new MessageView(); Fault f = v.parse(r, r.length);
       if (f != Fault.NONE || v.end()!=r.length) { System.out.println(n+" "+f+" "+HexFormat.of().formatHex(r)); return; }
      }
    }
  }
}
