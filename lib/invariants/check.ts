import { sql } from "drizzle-orm";
import type { Context } from "@/lib/context";
import { INVARIANTS, type Invariant } from "@/lib/invariants/catalogue";
import { auditText, type FoundViolation } from "@/lib/invariants/query";
import { monotonicMs, realNow } from "@/lib/time";

/** The newest rows of each kind that one request recomputes; the continuous audit goes over all of them. */
const MOST_ROWS = 20_000;

export interface Checked {
  id: string;
  description: string;
  checked: number;
  violations: number;
  ids: string[];
  durationMs: number;
}

export interface Report {
  checkedAt: Date;
  durationMs: number;
  holds: boolean;
  invariants: Checked[];
}

/** Recomputes every invariant over the account's own rows, in the caller's snapshot. */
export async function checkAccount(ctx: Context): Promise<Report> {
  const checkedAt = realNow();
  const startedMs = monotonicMs();
  const invariants: Checked[] = [];
  for (const invariant of INVARIANTS) invariants.push(await check(ctx, invariant));
  return {
    checkedAt,
    durationMs: Math.round(monotonicMs() - startedMs),
    holds: invariants.every(({ violations }) => violations === 0),
    invariants,
  };
}

async function check(ctx: Context, invariant: Invariant): Promise<Checked> {
  const startedMs = monotonicMs();
  const picked = `select id from ${invariant.root} where client_id = current_client() order by id desc limit ${MOST_ROWS}`;
  const [found] = await ctx.db.execute<FoundViolation & Record<string, unknown>>(sql.raw(auditText(invariant, picked)));
  if (!found) throw new Error("an audit that answered nothing");
  return {
    id: invariant.id,
    description: invariant.text,
    checked: found.checked,
    violations: found.violations,
    ids: found.rows.map(({ id }) => id),
    durationMs: Math.round(monotonicMs() - startedMs),
  };
}
