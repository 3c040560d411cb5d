import { createHmac, timingSafeEqual } from "node:crypto";
import { type Context, now } from "@/lib/context";
import { env } from "@/lib/env";
import { serverSecret } from "@/lib/secrets";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const VALID_SECONDS = 7 * DAY_SECONDS;
const TOKEN = /^([0-9a-z]{1,11})\.([\w-]{43})$/;
const RADIX = 36;

/** Where the page of a subscription stands: on the checkout's own host, or below /pay of the only one. */
export function subscriptionPageOf(subscriptionId: string): string {
  const { BASE_URL, CHECKOUT_URL } = env();
  return CHECKOUT_URL === BASE_URL ? `${BASE_URL}/pay/s/${subscriptionId}` : `${CHECKOUT_URL}/s/${subscriptionId}`;
}

/** The link of an e-mail: for seven days of the account's clock whoever has it sees and changes this one subscription. */
export const cardLinkOf = (ctx: Context, subscriptionId: string): string =>
  `${subscriptionPageOf(subscriptionId)}?t=${signCardLink(subscriptionId, addSeconds(now(ctx), VALID_SECONDS))}`;

export function signCardLink(subscriptionId: string, until: Date): string {
  const seconds = Math.floor(until.getTime() / 1000).toString(RADIX);
  return `${seconds}.${signature(subscriptionId, seconds).toString("base64url")}`;
}

/** `expired` for what was a link of this subscription; undefined for what never was. */
export function readCardLink(ctx: Context, subscriptionId: string, token: string): "valid" | "expired" | undefined {
  const [, seconds, given] = TOKEN.exec(token) ?? [];
  if (seconds === undefined || given === undefined) return undefined;
  const [sent, expected] = [Buffer.from(given, "base64url"), signature(subscriptionId, seconds)];
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined;
  return Number.parseInt(seconds, RADIX) * 1000 > now(ctx).getTime() ? "valid" : "expired";
}

/** 256 bits. */
const signature = (subscriptionId: string, seconds: string): Buffer =>
  createHmac("sha256", serverSecret("subscription link")).update(`${subscriptionId}:${seconds}`).digest();
