import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { openText, sealText } from "@/lib/secrets";

const PURPOSE = "webhook key";

export interface KeyPair {
  /** PEM, SPKI. */
  publicKey: string;
  privateKey: Buffer;
}

/** One Ed25519 pair of a webhook; the private key is sealed to it. */
export function newKeyPair(webhookId: string): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  return {
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKey: sealText(PURPOSE, privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"), webhookId),
  };
}

const MOST_KEPT = 2_000;
/** Opening and parsing a key costs several times a signature. */
const opened = new Map<string, KeyObject>();

export function privateKeyOf(webhookId: string, sealed: Buffer): KeyObject {
  const id = `${webhookId}:${sealed.toString("base64")}`;
  const kept = opened.get(id);
  if (kept) return kept;
  const der = Buffer.from(openText(PURPOSE, sealed, webhookId), "base64");
  const key = createPrivateKey({ key: der, type: "pkcs8", format: "der" });
  if (opened.size >= MOST_KEPT) opened.clear();
  opened.set(id, key);
  return key;
}

export interface Signed {
  eventId: string;
  body: Buffer;
  /** Real time: receivers refuse what is more than five minutes away. */
  at: Date;
  key: KeyObject;
  /** During the 24 hours after a rotation. */
  previousKey?: KeyObject | undefined;
}

const USER_AGENT = "Trilho-Webhooks/1";
const MS = 1_000;

/** Both sets of signatures over the exact bytes of the body (spec/contract.md 20.5). */
export function signedHeaders({ eventId, body, at, key, previousKey }: Signed): Record<string, string> {
  const ms = String(at.getTime());
  const seconds = String(Math.floor(at.getTime() / MS));
  const standard = Buffer.concat([Buffer.from(`${eventId}.${seconds}.`), body]);
  const legacy = Buffer.concat([Buffer.from(`${ms}\n`), body]);
  const keys = previousKey ? [key, previousKey] : [key];
  return {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    "webhook-id": eventId,
    "webhook-timestamp": seconds,
    "webhook-signature": keys.map((each) => `v1a,${sign(null, standard, each).toString("base64")}`).join(" "),
    "x-idempotency-key": eventId,
    "x-signature-date": ms,
    "x-signature": sign(null, legacy, previousKey ?? key).toString("hex"),
  };
}
