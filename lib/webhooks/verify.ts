import { createPublicKey, verify } from "node:crypto";

/** Whose signature it is: of the key of today, of the one before it while that lasts, or of none that is kept. */
export type VerifiedSignature = "current" | "previous" | "none";

interface Signed {
  headers: Readonly<Record<string, string>>;
  body: string;
  publicKey: string;
  previousPublicKey: string | null;
}

/** As a receiver does it, with nothing but what was sent and the public keys. */
export function verifyAttempt({ headers, body, publicKey, previousPublicKey }: Signed): VerifiedSignature {
  if (isSignedBy(publicKey, headers, body)) return "current";
  return previousPublicKey !== null && isSignedBy(previousPublicKey, headers, body) ? "previous" : "none";
}

function isSignedBy(pem: string, headers: Signed["headers"], body: string): boolean {
  const key = createPublicKey(pem);
  const message = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
  return (headers["webhook-signature"] ?? "")
    .split(" ")
    .filter((value) => value.startsWith("v1a,"))
    .some((value) => verify(null, message, key, Buffer.from(value.slice("v1a,".length), "base64")));
}
