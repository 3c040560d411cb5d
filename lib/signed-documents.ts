import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { canonicalJson } from "@/lib/canonical-json";
import { serverSecret } from "@/lib/secrets";

/** What precedes the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** One key of this installation for each kind of document. */
const keyFor = (purpose: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, serverSecret(purpose)]), format: "der", type: "pkcs8" });

/** Base64, over the document in canonical form (RFC 8785). */
export const documentSignature = (purpose: string, document: unknown): string =>
  sign(null, Buffer.from(canonicalJson(document)), keyFor(purpose)).toString("base64");

/** PEM, SPKI. */
export const publicKeyFor = (purpose: string): string =>
  createPublicKey(keyFor(purpose)).export({ format: "pem", type: "spki" }).toString();
