import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads JSON documents with Jackson for internal/tests/rivals: a line has words, each a document in hexadecimal. */
public final class JsonPeer {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  public static void main(String[] args) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line; (line = lines.readLine()) != null; ) {
      var out = new StringBuilder();
      for (String word : line.split(" ")) {
        out.append(out.isEmpty() ? "" : " ").append(read(HexFormat.of().parseHex(word)));
      }
      System.out.println(out);
    }
  }

  private static String read(byte[] document) {
    try {
      JsonNode node = MAPPER.readTree(document);
      return node == null || node.isMissingNode() ? "!" : value(node);
    } catch (JacksonException e) {
      return "!";
    }
  }

  private static String text(String s) {
    return "s" + HexFormat.of().formatHex(s.getBytes(StandardCharsets.UTF_8));
  }

  private static String value(JsonNode v) {
    if (v.isNull()) {
      return "z";
    }
    if (v.isBoolean()) {
      return v.asBoolean() ? "t" : "f";
    }
    if (v.isNumber()) {
      double x = Double.parseDouble(v.asString());
      return "n" + HexFormat.of().toHexDigits(Double.doubleToLongBits(x == 0 ? 0 : x));
    }
    if (v.isString()) {
      return text(v.asString());
    }
    var list = new StringBuilder();
    if (v.isArray()) {
      for (JsonNode item : v) {
        list.append(list.isEmpty() ? "" : ",").append(value(item));
      }
      return "[" + list + "]";
    }
    var members = new TreeMap<String, String>();
    v.properties().forEach(m -> members.put(text(m.getKey()), value(m.getValue())));
    members.forEach((name, member) -> list.append(list.isEmpty() ? "" : ",").append(name + ":" + member));
    return "{" + list + "}";
  }
}
