import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

interface Asked {
  challenge: string;
}

/** What a browser and the key in it would do: lies where a test tells it to. */
interface Lies {
  origin?: string;
  rpId?: string;
  /** Answers to this instead of what it was asked. */
  challenge?: string;
  counter?: number;
}

const sha256 = (data: Buffer | string): Buffer => createHash("sha256").update(data).digest();
const PRESENT = 0x01;
const WITH_KEY = 0x40;
const AAGUID_BYTES = 16;

/** A passkey in software, as FIDO's examples make them: ES256, without attestation. */
export function newAuthenticator(base: string) {
  const { hostname, origin: ours } = new URL(base);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credentialId = randomBytes(32);
  let counter = 0;

  const clientData = (type: string, { challenge }: Asked, lies: Lies): Buffer =>
    Buffer.from(
      JSON.stringify({ type, challenge: lies.challenge ?? challenge, origin: lies.origin ?? ours, crossOrigin: false }),
    );
  const head = (flags: number, lies: Lies): Buffer => {
    counter += 1;
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(lies.counter ?? counter);
    return Buffer.concat([sha256(lies.rpId ?? hostname), Buffer.from([flags]), counted]);
  };
  const coseKey = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, "base64url"),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, "base64url"),
  ]);
  const answer = (response: Record<string, Buffer>) => {
    const id = credentialId.toString("base64url");
    const parts = Object.entries(response).map(([name, bytes]) => [name, bytes.toString("base64url")]);
    return JSON.stringify({
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response: Object.fromEntries(parts),
    });
  };

  return {
    make(asked: Asked, lies: Lies = {}): string {
      const length = Buffer.from([0, credentialId.length]);
      const data = Buffer.concat([
        head(PRESENT | WITH_KEY, lies),
        Buffer.alloc(AAGUID_BYTES),
        length,
        credentialId,
        coseKey,
      ]);
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        Buffer.from([0x63]),
        Buffer.from("fmt"),
        Buffer.from([0x64]),
        Buffer.from("none"),
        Buffer.from([0x67]),
        Buffer.from("attStmt"),
        Buffer.from([0xa0, 0x68]),
        Buffer.from("authData"),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return answer({ clientDataJSON: clientData("webauthn.create", asked, lies), attestationObject });
    },
    sign(asked: Asked, lies: Lies = {}): string {
      const clientDataJSON = clientData("webauthn.get", asked, lies);
      const authenticatorData = head(PRESENT, lies);
      const signature = createSign("sha256")
        .update(Buffer.concat([authenticatorData, sha256(clientDataJSON)]))
        .sign(privateKey);
      return answer({ clientDataJSON, authenticatorData, signature });
    },
  };
}
