import { and, desc, eq, gt, gte, sql } from "drizzle-orm";
import { type Database, systemDb } from "@/db/client";
import { auditLog, clients } from "@/db/schema/accounts";
import { accountMachine } from "@/lib/accounts/machine";
import { audit, operatorIn } from "@/lib/audit";
import { type Context, inSnapshot } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { colleaguesWho } from "@/lib/operators/held-role";
import { namesOf } from "@/lib/operators/names";
import { PROPOSAL_SECONDS } from "@/lib/operators/second-person";
import { withTeam } from "@/lib/operators/with-team";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

/** Owners open a closed account again within this time; afterwards it is read, and nothing else. */
export const REOPEN_DAYS = 30;

export const reopensUntil = (closedAt: Date): Date => addSeconds(closedAt, REOPEN_DAYS * DAY_SECONDS);

/** Money that is on its way, or a question about it: an account with any of these is not closed. */
export const CLOSURE_REASONS = ["payments", "holds", "purchases", "reviews", "unexplained"] as const;
export type ClosureReason = (typeof CLOSURE_REASONS)[number];

export interface ClosurePlan {
  /** Why it cannot be closed now; none means that it can. */
  reasons: { kind: ClosureReason; count: number }[];
  /** What stops with it. */
  stops: { links: number; secretKeys: number; publicKeys: number; webhooks: number; members: number };
  /** Another owner has to agree. */
  needsTwo: boolean;
  /** Who of the others has asked for it within a day. */
  proposedBy: { id: string; name: string } | null;
  /** The reader asked already. */
  isOwnProposal: boolean;
}

const PROPOSED = "account.close.propose";

/** What the page shows and what closing looks at are one and the same. */
export const closurePlan = (ctx: Context): Promise<ClosurePlan> =>
  inSnapshot(ctx, async ({ db }) => planIn(ctx, db, systemDb()));

/** `people` reads who belongs to the account, which no account does by itself. */
async function planIn(ctx: Context, db: Database, people: Database): Promise<ClosurePlan> {
  const client = ctx.account.id;
  const self = ctx.principal.kind === "operator" ? ctx.principal.operatorId : "";
  const owners = await colleaguesWho(people, client, "team.manage");
  const proposers = await proposersOf(db, client);
  const other = owners.find(({ operatorId }) => operatorId !== self && proposers.includes(operatorId));
  return {
    reasons: await reasonsIn(db, client),
    stops: await stopsIn(db, client),
    needsTwo: owners.some(({ operatorId }) => operatorId !== self),
    proposedBy: other ? { id: other.operatorId, name: other.name } : null,
    isOwnProposal: proposers.includes(self),
  };
}

interface Counted extends Record<string, unknown> {
  kind: ClosureReason;
  count: number;
}

async function reasonsIn(db: Database, client: string): Promise<ClosurePlan["reasons"]> {
  const rows = await db.execute<Counted>(sql`
    select 'payments' as kind, count(*)::int as count from charges
     where client_id = ${client} and purchase_id is null and review_reason is null
       and (status in ('pending', 'capture_pending', 'refund_pending') or operation is not null)
    union all
    select 'holds', count(*)::int from charges
     where client_id = ${client} and purchase_id is null and review_reason is null
       and status = 'pre_authorized' and operation is null
    union all
    select 'purchases', count(*)::int from purchases p
     where p.client_id = ${client} and p.review_reason is null and (p.status = 'pending' or exists (
       select from purchase_operations o where o.purchase_id = p.id and o.status in ('pending', 'processing')))
    union all
    select 'reviews', (select count(*) from charges where client_id = ${client} and review_reason is not null
                          and purchase_id is null)::int
                    + (select count(*) from purchases where client_id = ${client} and review_reason is not null)::int
    union all
    select 'unexplained', count(*)::int from (
      select p.account_id from postings p join ledger_accounts a on a.id = p.account_id
       where p.client_id = ${client} and a.kind = 'suspense' group by p.account_id having sum(p.amount) <> 0) s`);
  const counts = new Map([...rows].map(({ kind, count }) => [kind, count]));
  return CLOSURE_REASONS.flatMap((kind) => {
    const count = counts.get(kind) ?? 0;
    return count > 0 ? [{ kind, count }] : [];
  });
}

async function stopsIn(db: Database, client: string): Promise<ClosurePlan["stops"]> {
  const [row] = await db.execute<ClosurePlan["stops"] & Record<string, unknown>>(sql`
    select (select count(*) from sessions where client_id = ${client} and status = 'created' and is_active)::int as links,
           (select count(*) from api_keys where client_id = ${client} and revoked_at is null
               and (expires_at is null or expires_at > now()))::int as "secretKeys",
           (select count(*) from public_keys where client_id = ${client} and session_id is null and revoked_at is null
               and (expires_at is null or expires_at > now()))::int as "publicKeys",
           (select count(*) from webhooks where client_id = ${client} and status and deleted_at is null)::int as webhooks,
           (select count(*) from memberships where client_id = ${client} and ended_at is null
               and role <> 'owner')::int as members`);
  if (!row) throw new Error("counts answer one row");
  return row;
}

/** Of the last day, and after the account was last closed: what two people agreed on once is not agreed on again. */
async function proposersOf(db: Database, client: string): Promise<string[]> {
  const of = (action: string) => and(eq(auditLog.clientId, client), eq(auditLog.action, action));
  const [closed] = await db
    .select({ at: auditLog.at })
    .from(auditLog)
    .where(of("account.close"))
    .orderBy(desc(auditLog.at))
    .limit(1);
  const rows = await db
    .select({ by: auditLog.actor })
    .from(auditLog)
    .where(
      and(
        of(PROPOSED),
        gte(auditLog.at, addSeconds(realNow(), -PROPOSAL_SECONDS)),
        closed ? gt(auditLog.at, closed.at) : undefined,
      ),
    );
  return rows.flatMap(({ by }) => operatorIn(by) ?? []);
}

export type Closing =
  | { kind: "closed" | "proposed" }
  /** What stands in the way, as it is now. */
  | { kind: "refused"; reasons: ClosurePlan["reasons"] };

/** One change at a time, by compare-and-set: keys, links and everybody but the owners stop with its commit. */
export function closeAccount(ctx: Context): Promise<Closing> {
  return withTeam(ctx, async (inside): Promise<Closing> => {
    const { db, account } = inside;
    const plan = await planIn(inside, db, db);
    if (plan.reasons.length > 0) return { kind: "refused", reasons: plan.reasons };
    const object = { object: "account", objectId: account.id };
    if (plan.needsTwo && !plan.proposedBy) {
      if (!plan.isOwnProposal) await audit(inside, { action: PROPOSED, ...object });
      return { kind: "proposed" };
    }
    const closedAt = realNow();
    await move(db, account.id, "closed", closedAt);
    await audit(plan.proposedBy ? { ...inside, secondPerson: plan.proposedBy.id } : inside, {
      action: "account.close",
      ...object,
      before: { status: "active" },
      after: { status: "closed", ...plan.stops, reopensUntil: reopensUntil(closedAt).toISOString() },
    });
    return { kind: "closed" };
  });
}

/** By any owner, while there is time: keys, links and people are where they were. */
export function reopenAccount(ctx: Context): Promise<"open" | "too_late"> {
  return withTeam(ctx, async (inside) => {
    const { db, account } = inside;
    const [row] = await db.select({ closedAt: clients.closedAt }).from(clients).where(eq(clients.id, account.id));
    if (row?.closedAt && reopensUntil(row.closedAt) < realNow()) return "too_late";
    await move(db, account.id, "reopened", null);
    await audit(inside, {
      action: "account.reopen",
      object: "account",
      objectId: account.id,
      before: { status: "closed" },
      after: { status: "active" },
    });
    return "open";
  });
}

const FROM = { closed: "active", reopened: "closed" } as const;

async function move(db: Database, id: string, fact: keyof typeof FROM, closedAt: Date | null): Promise<void> {
  const from = FROM[fact];
  const moved = await db
    .update(clients)
    .set({ status: accountMachine.next(from, fact), closedAt })
    .where(and(eq(clients.id, id), eq(clients.status, from)))
    .returning({ id: clients.id });
  if (moved.length === 0) throw new RequestError(409, "conflict", `the account is not ${from}`);
}

/** Who closed it, for the page that offers to open it again. */
export async function closedBy(ctx: Context): Promise<string | null> {
  const rows = await inSnapshot(ctx, ({ db, account }) =>
    db
      .select({ by: auditLog.actor })
      .from(auditLog)
      .where(and(eq(auditLog.clientId, account.id), eq(auditLog.action, "account.close")))
      .orderBy(desc(auditLog.at))
      .limit(1),
  );
  const id = operatorIn(rows[0]?.by ?? "");
  return id ? ((await namesOf(systemDb(), ctx.account.id, [id])).get(id) ?? null) : null;
}
