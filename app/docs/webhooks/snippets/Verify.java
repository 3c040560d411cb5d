import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

/** Java 15 or newer, nothing else. The map holds header names in lower case. */
final class Verify {
  static boolean isFromTrilho(Map<String, String> headers, byte[] body, String publicKey) throws Exception {
    String id = headers.get("webhook-id");
    String timestamp = headers.get("webhook-timestamp");
    if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;

    byte[] der = Base64.getDecoder().decode(publicKey.replaceAll("-----[^-]+-----|\\s", ""));
    PublicKey key = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der));
    var signed = new ByteArrayOutputStream();
    signed.write((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    signed.write(body);

    for (String one : headers.getOrDefault("webhook-signature", "").split(" ")) {
      if (!one.startsWith("v1a,")) continue;
      Signature verifier = Signature.getInstance("Ed25519");
      verifier.initVerify(key);
      verifier.update(signed.toByteArray());
      if (verifier.verify(Base64.getDecoder().decode(one.substring(4)))) return true;
    }
    return false;
  }
}
