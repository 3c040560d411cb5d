import { z } from "zod";
import { systemSql } from "@/db/client";
import { raisePageAlarm } from "@/lib/checkout/page-alarms";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { realNow } from "@/lib/time";

/** What browsers kept from running or loading on a page of the checkout, told by themselves: they may also lie. */

export const REPORTS_NAME = "csp-reports";

const MOST_REPORTS = 10;
const REPORTS_PER_MINUTE = 30;
const MINUTE_MS = 60_000;
const KEYWORDS = new Set(["inline", "eval", "wasm-eval", "trusted-types-policy", "trusted-types-sink", "self"]);
/** Those that our policy decides: nobody's own words reach a log or a person. */
const DIRECTIVES = [
  "default-src",
  "script-src",
  "script-src-elem",
  "script-src-attr",
  "style-src",
  "style-src-elem",
  "style-src-attr",
  "img-src",
  "font-src",
  "media-src",
  "connect-src",
  "worker-src",
  "frame-src",
  "child-src",
  "object-src",
  "manifest-src",
  "form-action",
  "frame-ancestors",
  "base-uri",
  "require-trusted-types-for",
  "trusted-types",
] as const;

const report = z.object({
  type: z.literal("csp-violation"),
  url: z.string().optional(),
  body: z.object({
    effectiveDirective: z.enum(DIRECTIVES),
    documentURL: z.string().optional(),
    blockedURL: z.string().optional(),
  }),
});
const reports = z.array(z.unknown());

export interface PolicyReport {
  readonly directive: (typeof DIRECTIVES)[number];
  /** An origin or one of the few words that stand for none; never a path, which may name a payment. */
  readonly blocked: string;
  /** The link whose page it was. */
  readonly sessionId: string;
}

export function readReports(body: string): PolicyReport[] {
  const told = reports.safeParse(parsed(body));
  if (!told.success) return [];
  return told.data.slice(0, MOST_REPORTS).flatMap((one) => {
    const { data } = report.safeParse(one);
    const sessionId = data && linkIn(data.body.documentURL ?? data.url ?? "");
    if (!data || !sessionId) return [];
    return [{ directive: data.body.effectiveDirective, blocked: blockedOf(data.body.blockedURL ?? ""), sessionId }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const LINK = /^\/(?:pay\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|$)/i;

/** Of an address of ours alone. */
function linkIn(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  return origin === new URL(env().CHECKOUT_URL).origin ? LINK.exec(pathname)?.[1]?.toLowerCase() : undefined;
}

function blockedOf(text: string): string {
  if (KEYWORDS.has(text)) return text;
  if (!URL.canParse(text)) return "other";
  const { origin, protocol } = new URL(text);
  return origin === "null" ? protocol : origin;
}

let minute = { startedAt: 0, reports: 0 };

/**
 * Notes what was reported of links that live, and raises the alarm: of one directive once a day for each account. Who
 * floods it fills no log and asks no database: so many reports a minute, and no more.
 * @returns how many were taken
 */
export async function takeReports(told: readonly PolicyReport[], at: Date = realNow()): Promise<number> {
  if (at.getTime() - minute.startedAt >= MINUTE_MS) minute = { startedAt: at.getTime(), reports: 0 };
  const looked = told.slice(0, Math.max(0, REPORTS_PER_MINUTE - minute.reports));
  minute.reports += looked.length;
  if (looked.length === 0) return 0;
  const owners = await ownersOf(looked.map(({ sessionId }) => sessionId));
  const taken = looked.filter(({ sessionId }) => owners.has(sessionId));
  for (const { directive, blocked, sessionId } of taken) {
    log.warn({ kind: "csp", reason: directive, outcome: blocked }, "a browser kept something from a checkout page");
    await raisePageAlarm(owners.get(sessionId) ?? "", { source: "report", name: directive });
  }
  return taken.length;
}

/** Whose the links are, of those that can still be opened and paid, or just were. */
async function ownersOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await systemSql()<{ id: string; client_id: string }[]>`
    select s.id, s.client_id from sessions s join clients c on c.id = s.client_id and c.status = 'active'
     where s.id = any(${[...new Set(ids)]}::uuid[]) and s.has_link and s.is_active and s.status in ('created', 'paid')
       and (s.due_at is null
            or s.due_at > coalesce(c.clock_frozen_at, now() + c.clock_offset_seconds * interval '1 second'))`;
  return new Map(rows.map((row) => [row.id, row.client_id]));
}
