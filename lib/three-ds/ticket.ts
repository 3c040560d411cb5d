import { createHmac, timingSafeEqual } from "node:crypto";
import { serverSecret } from "@/lib/secrets";

/** A challenge not finished after this has failed (spec/contract.md 8.5), and its way back is closed. */
export const CHALLENGE_SECONDS = 15 * 60;

/** The way back from one challenge: made from its attempt, so it is the same whenever it is asked for. */
export const ticketOf = (attemptId: string): string =>
  createHmac("sha256", serverSecret("3ds ticket")).update(attemptId).digest("base64url");

export function isTicketOf(attemptId: string, given: string): boolean {
  const expected = Buffer.from(ticketOf(attemptId));
  const sent = Buffer.from(given);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

export const termUrlOf = (baseUrl: string, chargeId: string, attemptId: string): string =>
  `${baseUrl}/v1/charges/${chargeId}/3ds/return?ticket=${ticketOf(attemptId)}`;

/** Where the buyer goes on in the shop. */
export function backToShop(redirectUrl: string, chargeId: string): string {
  const url = new URL(redirectUrl);
  url.searchParams.set("chargeId", chargeId);
  return url.href;
}
