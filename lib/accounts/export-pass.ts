import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "@/lib/context";
import { serverSecret } from "@/lib/secrets";
import { addSeconds } from "@/lib/time";

const PASS_SECONDS = 10 * 60;
const PASS = /^(\d{1,12})\.([\w-]{43})$/;

/** For who proved themselves just now: it opens the export of this account to this person, and for a while only. */
export function exportPass(ctx: Context, now: Date): string {
  const until = Math.floor(addSeconds(now, PASS_SECONDS).getTime() / 1000);
  return `${until}.${signature(ctx, until).toString("base64url")}`;
}

export function isExportPass(ctx: Context, pass: string, now: Date): boolean {
  const [, until, given = ""] = PASS.exec(pass) ?? [];
  if (until === undefined || Number(until) * 1000 < now.getTime()) return false;
  const sent = Buffer.from(given, "base64url");
  const expected = signature(ctx, Number(until));
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

const signature = ({ account, principal }: Context, until: number): Buffer =>
  createHmac("sha256", serverSecret("account export"))
    .update(`${account.id}:${principal.kind === "operator" ? principal.operatorId : ""}:${until}`)
    .digest();
