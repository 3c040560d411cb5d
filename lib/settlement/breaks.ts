import { sql } from "drizzle-orm";
import { textArray } from "@/db/arrays";
import type { BREAK_KINDS } from "@/db/schema/settlement";
import type { CivilDate } from "@/lib/brazil/bank-calendar";
import { type Context, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import type { Cents } from "@/lib/money";

export type BreakKind = (typeof BREAK_KINDS)[number];

/** Two figures that should be one. */
export interface StatementDifference {
  /** The same as long as it is the same difference. */
  subject: string;
  chargeId: string | null;
  day: CivilDate;
  expected: Cents;
  found: Cents;
}

/**
 * Opens what is new, and closes what agrees again: `looked` are the subjects that were compared. The same two figures
 * that people have settled stay settled.
 */
export async function keepBreaks(
  ctx: Context,
  merchantId: string,
  kind: BreakKind,
  differences: readonly StatementDifference[],
  looked: "all" | readonly string[] = "all",
): Promise<void> {
  const at = now(ctx).toISOString();
  const rows = differences.map((difference) => ({ id: newId(), ...difference }));
  const subjects = rows.map(({ subject }) => subject);
  await ctx.db.execute(sql`
    update settlement_breaks set closed_at = ${at}, closed_by = 'agreement', updated_at = ${at}
     where client_id = ${ctx.account.id} and merchant_id = ${merchantId} and kind = ${kind} and closed_at is null
       and subject <> all(${textArray(subjects)})
       and ${looked === "all" ? sql`true` : sql`subject = any(${textArray(looked)})`}`);
  if (rows.length === 0) return;
  await ctx.db.execute(sql`
    insert into settlement_breaks (id, client_id, merchant_id, kind, subject, charge_id, day, expected, found, opened_at, updated_at)
    select d.id, ${ctx.account.id}, ${merchantId}, ${kind}, d.subject, d."chargeId", d.day, d.expected, d.found, ${at}, ${at}
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as d (id uuid, subject text, "chargeId" uuid, day date, expected bigint, found bigint)
     where not exists (
       select from settlement_breaks p where p.merchant_id = ${merchantId} and p.kind = ${kind} and p.subject = d.subject
          and p.closed_by = 'people' and p.expected = d.expected and p.found = d.found)
    on conflict (merchant_id, kind, subject) where closed_at is null
    do update set expected = excluded.expected, found = excluded.found, updated_at = excluded.updated_at`);
}
