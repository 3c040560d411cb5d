import { and, desc, eq, gte, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { type Database, systemDb } from "@/db/client";
import { auditLog, clients } from "@/db/schema/accounts";
import { notices } from "@/db/schema/notices";
import { audit, operatorIn } from "@/lib/audit";
import { type Context, now } from "@/lib/context";
import { invalid, notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { isCents } from "@/lib/money";
import { colleaguesWho } from "@/lib/operators/held-role";
import { type AloneLimits, aloneLimitsIn, PROPOSAL_SECONDS, SamePerson } from "@/lib/operators/second-person";
import { withTeam } from "@/lib/operators/with-team";
import { tell } from "@/lib/tell";
import { addSeconds, realNow } from "@/lib/time";

/** A limit above this is none. */
export const MOST_ALONE = 1_000_000_00;

const CHANGED = "account.limits";
const PROPOSED = "account.limits.propose";
const WITHDRAWN = "account.limits.withdraw";
const REFUSED = "account.limits.refuse";
const PATH = "/dashboard/settings/team";

export interface LimitsProposal {
  id: string;
  limits: AloneLimits;
  by: { id: string; name: string };
  isOwn: boolean;
}

const limitsWritten = z.object({ reviews: z.int(), refunds: z.int() });
const written = limitsWritten.extend({ proposal: z.uuid() });

/** What one person decides on alone, and what an owner asked to change about it, if it waits for another one. */
export async function aloneLimitsOf(
  ctx: Context,
): Promise<{ limits: AloneLimits; proposal: LimitsProposal | undefined; needsTwo: boolean }> {
  const db = systemDb();
  const limits = await aloneLimitsIn(db, ctx.account.id);
  return { limits, proposal: await proposalIn(ctx, db, limits), needsTwo: await needsTwo(ctx, db) };
}

const selfIn = ({ principal }: Context): string => (principal.kind === "operator" ? principal.operatorId : "");

const needsTwo = async (ctx: Context, db: Database): Promise<boolean> =>
  (await colleaguesWho(db, ctx.account.id, "team.manage")).some(({ operatorId }) => operatorId !== selfIn(ctx));

/** The newest of the last day that nobody ended, and that was made from the limits as they are. */
async function proposalIn(ctx: Context, db: Database, current: AloneLimits): Promise<LimitsProposal | undefined> {
  const [row] = await db
    .select({ actor: auditLog.actor, before: auditLog.before, after: auditLog.after })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.clientId, ctx.account.id),
        eq(auditLog.action, PROPOSED),
        eq(auditLog.objectId, ctx.account.id),
        gte(auditLog.at, addSeconds(realNow(), -PROPOSAL_SECONDS)),
        sql`not exists (
          select from audit_log w where w.client_id = ${ctx.account.id} and w.object_id = ${ctx.account.id}
             and w.action in (${CHANGED}, ${WITHDRAWN}, ${REFUSED})
             and w.after->>'proposal' = ${auditLog.after}->>'proposal')`,
      ),
    )
    .orderBy(desc(auditLog.at))
    .limit(1);
  const id = operatorIn(row?.actor ?? "");
  if (!row || id === undefined || !isSame(limitsWritten.parse(row.before), current)) return undefined;
  // Whoever lost the right since asks for nothing any more.
  const by = (await colleaguesWho(db, ctx.account.id, "team.manage")).find(({ operatorId }) => operatorId === id);
  if (!by) return undefined;
  const { proposal, ...limits } = written.parse(row.after);
  return { id: proposal, limits, by: { id, name: by.name }, isOwn: id === selfIn(ctx) };
}

const isSame = (one: AloneLimits, other: AloneLimits): boolean =>
  one.reviews === other.reviews && one.refunds === other.refunds;

/** Lower limits hold at once; higher ones when another owner agrees, where there is one. All owners are told. */
export async function changeAloneLimits(ctx: Context, limits: AloneLimits): Promise<"done" | "proposed"> {
  for (const [name, cents] of Object.entries(limits))
    if (!isCents(cents) || cents > MOST_ALONE) throw invalid(`${name}: 0 to ${MOST_ALONE} cents`);
  return withTeam(ctx, async (inside) => {
    const before = await aloneLimitsIn(inside.db, inside.account.id);
    if (isSame(before, limits)) return "done";
    const isRaised = limits.reviews > before.reviews || limits.refunds > before.refunds;
    if (isRaised && (await needsTwo(inside, inside.db))) {
      const open = await proposalIn(inside, inside.db, before);
      // Of one's own, it waits already; of another person, it is agreed to by `approveAloneLimits` alone.
      if (open && isSame(open.limits, limits)) return "proposed";
      if (open) await end(inside, open, before);
      const object = { object: "account", objectId: inside.account.id };
      await audit(inside, {
        action: PROPOSED,
        ...object,
        before: { ...before },
        after: { ...limits, proposal: newId() },
      });
      await tellOwners(inside, "limits_waiting");
      return "proposed";
    }
    await apply(inside, before, limits);
    return "done";
  });
}

/** By another owner than the one who asked. */
export function approveAloneLimits(ctx: Context, id: string): Promise<void> {
  return withTeam(ctx, async (inside) => {
    const { before, open } = await openIn(inside, id);
    if (open.isOwn) throw new SamePerson();
    await apply({ ...inside, secondPerson: open.by.id }, before, open.limits, open.id);
  });
}

/** Whoever asked takes it back so; another owner refuses it. */
export function endAloneLimits(ctx: Context, id: string): Promise<void> {
  return withTeam(ctx, async (inside) => {
    const { before, open } = await openIn(inside, id);
    await end(inside, open, before);
  });
}

async function openIn(inside: Context, id: string): Promise<{ before: AloneLimits; open: LimitsProposal }> {
  const before = await aloneLimitsIn(inside.db, inside.account.id);
  const open = await proposalIn(inside, inside.db, before);
  if (open?.id !== id) throw notFound("proposal");
  return { before, open };
}

async function end(inside: Context, open: LimitsProposal, before: AloneLimits): Promise<void> {
  await audit(inside, {
    action: open.isOwn ? WITHDRAWN : REFUSED,
    object: "account",
    objectId: inside.account.id,
    before: { ...before },
    after: { ...open.limits, proposal: open.id },
  });
  await waitsNoMore(inside);
}

async function apply(inside: Context, before: AloneLimits, limits: AloneLimits, proposal?: string): Promise<void> {
  const { db, account } = inside;
  await db
    .update(clients)
    .set({ reviewsAloneUpTo: limits.reviews, refundsAloneUpTo: limits.refunds })
    .where(eq(clients.id, account.id));
  await audit(inside, {
    action: CHANGED,
    object: "account",
    objectId: account.id,
    before: { ...before },
    after: { ...limits, ...(proposal ? { proposal } : {}) },
  });
  await waitsNoMore(inside);
  await tellOwners(inside, "limits_changed");
}

const waitsNoMore = ({ db, account }: Context) =>
  db.delete(notices).where(and(eq(notices.clientId, account.id), inArray(notices.kind, ["limits_waiting"])));

const tellOwners = (inside: Context, kind: "limits_waiting" | "limits_changed"): Promise<void> =>
  tell(inside.db, {
    clientId: inside.account.id,
    kind,
    path: PATH,
    at: now(inside),
    ...(selfIn(inside) ? { askedBy: selfIn(inside) } : {}),
  });
