import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { KEPT } from "@/lib/purposes";
import { openText, sealText } from "@/lib/secrets";

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
    privateKey: sealText(
      KEPT.webhookKey,
      privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
      webhookId,
    ),
  };
}

const MOST_KEPT = 2_000;
/** Opening and parsing a key costs several times a signature. */
const opened = new Map<string, KeyObject>();

export function privateKeyOf(webhookId: string, sealed: Buffer): KeyObject {
  const id = `${webhookId}:${sealed.toString("base64")}`;
  const kept = opened.get(id);
  if (kept) return kept;
  const der = Buffer.from(openText(KEPT.webhookKey, sealed, webhookId), "base64");
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
export function signedHeaders(signed: Signed): Record<string, string> {
  const { standard, legacy, keys, oldest } = messagesOf(signed);
  return headersWith(
    signed,
    keys.map((key) => sign(null, standard, key)),
    sign(null, legacy, oldest),
  );
}

const msOf = ({ at }: Signed): string => String(at.getTime());
const secondsOf = ({ at }: Signed): string => String(Math.floor(at.getTime() / MS));

function messagesOf(signed: Signed) {
  const { eventId, body, key, previousKey } = signed;
  return {
    standard: Buffer.concat([Buffer.from(`${eventId}.${secondsOf(signed)}.`), body]),
    legacy: Buffer.concat([Buffer.from(`${msOf(signed)}\n`), body]),
    keys: previousKey ? [key, previousKey] : [key],
    oldest: previousKey ?? key,
  };
}

function headersWith(signed: Signed, standard: readonly Buffer[], legacy: Buffer): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    "webhook-id": signed.eventId,
    "webhook-timestamp": secondsOf(signed),
    "webhook-signature": standard.map((each) => `v1a,${each.toString("base64")}`).join(" "),
    "x-idempotency-key": signed.eventId,
    "x-signature-date": msOf(signed),
    "x-signature": legacy.toString("hex"),
  };
}
