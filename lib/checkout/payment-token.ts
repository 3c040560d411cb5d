import { createCipheriv, createDecipheriv } from "node:crypto";
import { isUuid } from "@/lib/ids";
import { serverSecret } from "@/lib/secrets";
import { paymentLinkOf } from "@/lib/sessions/serializer";

const ID_BYTES = 16;
const HEX_GROUPS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const TOKEN = /^[\w-]{22}$/;

/**
 * One block of AES over one identifier: a keyed permutation of 128 bits. Nobody can make a token or read an identifier
 * out of one without the server's key, and every payment has its token without a row for it.
 */
const key = (): Buffer => serverSecret("payment token");

/** The name of a charge or a purchase in the buyer's addresses. */
export function paymentTokenOf(id: string): string {
  const cipher = createCipheriv("aes-256-ecb", key(), null).setAutoPadding(false);
  return cipher.update(Buffer.from(id.replaceAll("-", ""), "hex")).toString("base64url");
}

export function paymentIdOf(token: string): string | undefined {
  if (!TOKEN.test(token)) return undefined;
  const block = Buffer.from(token, "base64url");
  // The last character carries four bits that no token of ours sets.
  if (block.length !== ID_BYTES || block.toString("base64url") !== token) return undefined;
  const decipher = createDecipheriv("aes-256-ecb", key(), null).setAutoPadding(false);
  const id = decipher.update(block).toString("hex").replace(HEX_GROUPS, "$1-$2-$3-$4-$5");
  return isUuid(id) ? id : undefined;
}

export const linkUrlOf = (sessionId: string): string => paymentLinkOf(sessionId);

/** The same on the checkout's own host, wherever that is. */
export const paymentPathOf = (sessionId: string, chargeOrPurchaseId: string): string =>
  new URL(paymentUrlOf(sessionId, chargeOrPurchaseId)).pathname;

/** The permanent address of a payment: its waiting page first, its receipt later. */
export const paymentUrlOf = (sessionId: string, chargeOrPurchaseId: string): string =>
  `${linkUrlOf(sessionId)}/p/${paymentTokenOf(chargeOrPurchaseId)}`;
