import { type SQL, sql } from "drizzle-orm";
import { type Context, inSnapshot } from "@/lib/context";
import { keptApart } from "@/lib/insights/kept-apart";
import { notReturned } from "@/lib/insights/not-returned";
import { proposedRefunds } from "@/lib/insights/proposed";
import { unansweredPayments } from "@/lib/insights/unanswered";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

/** Something that does not mend itself, or has not yet. */
export interface WaitingForPeople {
  kind: "charge" | "purchase" | "unanswered" | "proposed" | "not_returned" | "kept_apart";
  /** Of the charge or of the purchase. */
  id: string;
  reason: string;
  amount: number;
  currency: string;
  /** The shop's own number. */
  orderId: string | null;
  /** On the account's clock. */
  since: Date;
}

/** Of a row after which a page begins. */
export interface WaitingPosition {
  kind: WaitingForPeople["kind"];
  since: Date;
  key: string;
}

const MOST_SHOWN = 100;

/** In the order of the list; `key` tells apart what waits since the same moment. */
const KINDS = [
  "purchase",
  "charge",
  "proposed",
  "not_returned",
  "kept_apart",
  "unanswered",
] as const satisfies WaitingForPeople["kind"][];

const SOURCES: Record<WaitingForPeople["kind"], (ctx: Context) => SQL> = {
  purchase: ({ account }) => sql`
    select id, id as key, review_reason as reason, amount, currency, review_since as since
      from purchases where client_id = ${account.id} and review_reason is not null`,
  charge: ({ account }) => sql`
    select id, id as key, review_reason as reason, original_amount as amount, currency, review_since as since
      from charges where client_id = ${account.id} and review_reason is not null and purchase_id is null`,
  proposed: (ctx) => sql`
    select p.id, p.id as key, 'second_person' as reason, p.amount, p.currency, p.at as since
      from (${proposedRefunds(ctx)}) p`,
  unanswered: (ctx) => sql`
    select u.id, u.attempt_id as key, u.provider as reason, u.amount, u.currency, u.sent_at as since
      from (${unansweredPayments(ctx)}) u where u.id is not null`,
  not_returned: (ctx) => sql`
    select n.id, n.attempt_id as key, n.provider as reason, n.amount, n.currency, n.since from (${notReturned(ctx)}) n`,
  kept_apart: (ctx) => sql`
    select k.id, k.attempt_id as key, k.provider as reason, k.amount, k.currency, k.since from (${keptApart(ctx)}) k`,
};

interface WaitingRow extends Record<string, unknown> {
  kind: WaitingForPeople["kind"];
  id: string;
  key: string;
  reason: string;
  orderId: string | null;
  amount: string;
  currency: string;
  since: string;
}

/** The oldest of one kind. */
const oldestOf = (ctx: Context, kind: WaitingForPeople["kind"], most: number, after?: WaitingPosition): SQL => sql`
  (select ${KINDS.indexOf(kind)}::int as rank, ${kind}::text as kind, w.id, w.key, w.reason, w.amount::text, w.currency,
          coalesce((select order_id from charges where client_id = ${ctx.account.id} and id = w.id),
                   (select order_id from purchases where client_id = ${ctx.account.id} and id = w.id)) as "orderId",
          w.since from (${SOURCES[kind](ctx)}) w
    where ${after ? sql`(w.since, w.key) > (${after.since.toISOString()}::timestamptz, ${after.key}::uuid)` : sql`true`}
    order by w.since, w.key limit ${most})`;

async function read(
  ctx: Context,
  parts: readonly SQL[],
  most?: number,
): Promise<(WaitingForPeople & WaitingPosition)[]> {
  const rows = await inSnapshot(ctx, ({ db }) =>
    db.execute<WaitingRow>(sql`
      select kind, id, key, reason, amount, currency, "orderId", since from (${sql.join([...parts], sql` union all `)}) waiting
       order by rank, since, key ${most === undefined ? sql`` : sql`limit ${most}`}`),
  );
  return rows.map((row) => ({ ...row, amount: Number(row.amount), since: new Date(row.since) }));
}

/** Oldest first, within its kind; `isCut` where there are more of a kind than people look through. */
export async function listWaiting(
  ctx: Context,
  role: OperatorRole,
  most = MOST_SHOWN,
): Promise<{ items: WaitingForPeople[]; isCut: boolean }> {
  demand(role, "payments.see");
  const rows = await read(
    ctx,
    KINDS.map((kind) => oldestOf(ctx, kind, most + 1)),
  );
  const items = KINDS.flatMap((kind) => rows.filter((row) => row.kind === kind).slice(0, most));
  return { items, isCut: items.length < rows.length };
}

/** The same list, all of it, a page at a time. */
export async function waitingAfter(
  ctx: Context,
  role: OperatorRole,
  { after, limit }: { after: WaitingPosition | undefined; limit: number },
): Promise<{ items: WaitingForPeople[]; next: WaitingPosition | undefined }> {
  demand(role, "payments.see");
  const kinds = after ? KINDS.slice(KINDS.indexOf(after.kind)) : KINDS;
  const rows = await read(
    ctx,
    kinds.map((kind) => oldestOf(ctx, kind, limit + 1, kind === after?.kind ? after : undefined)),
    limit + 1,
  );
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? items.at(-1) : undefined };
}
