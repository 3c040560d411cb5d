import { z } from "zod";
import { log } from "@/lib/log";
import { realNow } from "@/lib/time";

/** What browsers kept from running or loading on a page of the checkout, told by themselves: they may also lie. */

export const REPORTS_NAME = "csp-reports";

const MOST_REPORTS = 10;
const LINES_PER_MINUTE = 30;
const MINUTE_MS = 60_000;
const DIRECTIVE = /^[a-z-]{3,40}$/;
const KEYWORDS = new Set(["inline", "eval", "wasm-eval", "trusted-types-policy", "trusted-types-sink", "self"]);

const report = z.object({
  type: z.literal("csp-violation"),
  body: z.object({ effectiveDirective: z.string(), blockedURL: z.string().optional() }),
});
const reports = z.array(z.unknown());

export interface PolicyReport {
  readonly directive: string;
  /** An origin or one of the few words that stand for none; never a path, which may name a payment. */
  readonly blocked: string;
}

export function readReports(body: string): PolicyReport[] {
  const told = reports.safeParse(parsed(body));
  if (!told.success) return [];
  return told.data.slice(0, MOST_REPORTS).flatMap((one) => {
    const { data } = report.safeParse(one);
    if (!data || !DIRECTIVE.test(data.body.effectiveDirective)) return [];
    return [{ directive: data.body.effectiveDirective, blocked: blockedOf(data.body.blockedURL ?? "") }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function blockedOf(text: string): string {
  if (KEYWORDS.has(text)) return text;
  if (!URL.canParse(text)) return "other";
  const { origin, protocol } = new URL(text);
  return origin === "null" ? protocol : origin;
}

let minute = { startedAt: 0, lines: 0 };

/** Who floods it fills no log: so many lines a minute, and no more. */
export function noteReports(told: readonly PolicyReport[], at: Date = realNow()): number {
  if (at.getTime() - minute.startedAt >= MINUTE_MS) minute = { startedAt: at.getTime(), lines: 0 };
  const noted = told.slice(0, Math.max(0, LINES_PER_MINUTE - minute.lines));
  minute.lines += noted.length;
  for (const { directive, blocked } of noted)
    log.warn({ kind: "csp", reason: directive, outcome: blocked }, "a browser kept something from a checkout page");
  return noted.length;
}
