import { and, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { type ALARM_KINDS, cardAlarms, cardTries } from "@/db/schema/captcha";
import { audit } from "@/lib/audit";
import { type Context, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { addSeconds } from "@/lib/time";
import { ALARM_SECONDS, LIMITS, type Limits, MOST_COUNTED } from "@/lib/velocity/limits";
import { isProtected } from "@/lib/velocity/protection";
import { type Counted, hasVisits } from "@/lib/velocity/subject";

export type AlarmRow = typeof cardAlarms.$inferSelect;
/** What the audit log calls the place of an alarm. */
const OBJECTS = { link: "session", key: "public_key", merchant: "merchant" } as const;
type AlarmKind = (typeof ALARM_KINDS)[number];

interface Tally {
  tried: number;
  declined: number;
}

/** The alarms that act on a link now, after setting off those that are due. */
export async function alarmsOn(ctx: Context, subject: Counted, limits: Limits): Promise<AlarmRow[]> {
  const standing = await standingAlarms(ctx, subject);
  const raised = await due(ctx, subject, standing, limits);
  return [...standing, ...raised];
}

/** Those that act already; nothing is counted anew. */
export async function standingAlarms(
  ctx: Context,
  { sessionId, merchantId }: Pick<Counted, "sessionId" | "merchantId">,
): Promise<AlarmRow[]> {
  return actingOn(ctx, [sessionId, merchantId]);
}

/** What holds on these links and merchants now: where the limits do not act, only what a person closed. */
export async function inForceOn(ctx: Context, ids: readonly string[]): Promise<AlarmRow[]> {
  const alarms = await actingOn(ctx, ids);
  if (alarms.every(isByHand)) return alarms;
  return (await isProtected(ctx)) ? alarms : alarms.filter(isByHand);
}

/** Closed by a person: that is no sign of card testing, and holds whether or not the limits act. */
export const isByHand = ({ cause }: Pick<AlarmRow, "cause">): boolean => cause === "person";

async function actingOn(ctx: Context, ids: readonly string[]): Promise<AlarmRow[]> {
  if (ids.length === 0) return [];
  return ctx.db
    .select()
    .from(cardAlarms)
    .where(
      and(
        eq(cardAlarms.clientId, ctx.account.id),
        inArray(cardAlarms.refId, [...ids]),
        gt(cardAlarms.until, now(ctx)),
        isNull(cardAlarms.liftedAt),
      ),
    );
}

/** Whether an alarm of the merchant is set off depends on those it has had: see `pauses`. */
async function due(ctx: Context, subject: Counted, standing: readonly AlarmRow[], limits: Limits): Promise<AlarmRow[]> {
  const has = (refId: string, kind: AlarmKind) =>
    standing.find((alarm) => alarm.refId === refId && alarm.kind === kind);
  const raised: AlarmRow[] = [];
  const scope = hasVisits(subject) ? "link" : "key";
  const link = await tally(ctx, "session", subject.sessionId, limits.link.withinSeconds);
  if (!has(subject.sessionId, "step_up")) {
    if (link.declined >= limits.link.declined && isMost(link, limits.link.share)) {
      raised.push(await raise(ctx, { scope, refId: subject.sessionId, cause: "link_declines", ...link }));
    } else {
      const cards = await cardsOfOneBin(ctx, subject);
      if (cards >= limits.sameBin.cards) {
        const counts = { tried: cards, declined: link.declined };
        raised.push(await raise(ctx, { scope, refId: subject.sessionId, cause: "same_bin_and_amount", ...counts }));
      }
    }
  }
  const stepUp = has(subject.merchantId, "step_up");
  const merchant = await tally(ctx, "merchant", subject.merchantId, limits.merchant.withinSeconds);
  const ofMerchant = { scope: "merchant", refId: subject.merchantId, cause: "merchant_declines" } as const;
  if (!stepUp) {
    if (merchant.tried >= limits.merchant.tried && isMost(merchant, limits.merchant.share)) {
      raised.push(await raise(ctx, { ...ofMerchant, ...merchant }));
    }
  } else if (!has(subject.merchantId, "cards_paused")) {
    const since = await tallySince(ctx, "merchant", subject.merchantId, stepUp.raisedAt);
    if (since.tried >= limits.merchant.triedUntilPause && isMost(since, limits.merchant.share)) {
      raised.push(await raise(ctx, { ...ofMerchant, kind: "cards_paused", ...since }));
    }
  }
  return raised;
}

const isMost = ({ tried, declined }: Tally, share: number): boolean => declined > tried * share;

const COLUMN = { session: cardTries.sessionId, merchant: cardTries.merchantId } as const;

const tally = (ctx: Context, of: keyof typeof COLUMN, id: string, withinSeconds: number): Promise<Tally> =>
  tallySince(ctx, of, id, addSeconds(now(ctx), -withinSeconds));

/** Of the tries that were answered. */
async function tallySince(ctx: Context, of: keyof typeof COLUMN, id: string, since: Date): Promise<Tally> {
  const recent = ctx.db
    .select({ outcome: cardTries.outcome })
    .from(cardTries)
    .where(and(eq(cardTries.clientId, ctx.account.id), eq(COLUMN[of], id), gt(cardTries.at, since)))
    .orderBy(desc(cardTries.at))
    .limit(MOST_COUNTED)
    .as("recent");
  const [row] = await ctx.db
    .select({
      tried: sql`count(*) filter (where ${recent.outcome} in ('approved', 'declined'))`.mapWith(Number),
      declined: sql`count(*) filter (where ${recent.outcome} = 'declined')`.mapWith(Number),
    })
    .from(recent);
  return row ?? { tried: 0, declined: 0 };
}

/** The most different cards of one BIN that this merchant was paid this amount with, a moment ago. */
async function cardsOfOneBin(ctx: Context, { merchantId, amount }: Counted): Promise<number> {
  const cards = sql<number>`count(distinct ${cardTries.fingerprint})`;
  const [row] = await ctx.db
    .select({ cards: cards.mapWith(Number) })
    .from(cardTries)
    .where(
      and(
        eq(cardTries.clientId, ctx.account.id),
        eq(cardTries.merchantId, merchantId),
        eq(cardTries.amount, amount),
        gt(cardTries.at, addSeconds(now(ctx), -LIMITS.sameBin.withinSeconds)),
      ),
    )
    .groupBy(cardTries.bin)
    .orderBy(desc(cards))
    .limit(1);
  return row?.cards ?? 0;
}

type NewAlarm = Pick<AlarmRow, "scope" | "refId" | "cause" | "tried" | "declined"> & { kind?: AlarmKind };

async function raise(ctx: Context, { kind = "step_up", ...alarm }: NewAlarm): Promise<AlarmRow> {
  const at = now(ctx);
  const until = addSeconds(at, ALARM_SECONDS[kind]);
  const [row] = await ctx.db
    .insert(cardAlarms)
    .values({ id: newId(), clientId: ctx.account.id, kind, ...alarm, raisedAt: at, until })
    .returning();
  if (!row) throw new Error("the alarm was not written");
  log.warn({ clientId: ctx.account.id, kind, reason: alarm.cause, count: alarm.declined }, "card testing");
  return row;
}

/** What card testing has set off, newest first, for the people who run the shop. */
export const listAlarms = (ctx: Context, limit: number): Promise<AlarmRow[]> =>
  ctx.db
    .select()
    .from(cardAlarms)
    .where(eq(cardAlarms.clientId, ctx.account.id))
    .orderBy(desc(cardAlarms.raisedAt))
    .limit(limit);

/** Those that act now, for the people who run the shop. */
export const listActing = (ctx: Context, limit: number): Promise<AlarmRow[]> =>
  ctx.db
    .select()
    .from(cardAlarms)
    .where(and(eq(cardAlarms.clientId, ctx.account.id), gt(cardAlarms.until, now(ctx)), isNull(cardAlarms.liftedAt)))
    .orderBy(desc(cardAlarms.raisedAt))
    .limit(limit);

/** Ends the alarms of a merchant or a link before their time; a person decides that, and says why. */
export async function liftAlarms(ctx: Context, refId: string, reason?: string): Promise<void> {
  const at = now(ctx);
  const lifted = await ctx.db
    .update(cardAlarms)
    .set({ liftedAt: at, ...(reason === undefined ? {} : { note: reason }) })
    .where(
      and(
        eq(cardAlarms.clientId, ctx.account.id),
        eq(cardAlarms.refId, refId),
        gt(cardAlarms.until, at),
        isNull(cardAlarms.liftedAt),
      ),
    )
    .returning();
  await audit(ctx, {
    action: "card_testing.lifted",
    object: OBJECTS[lifted[0]?.scope ?? "merchant"],
    objectId: refId,
    before: { acting: lifted.map(({ kind, until }) => ({ kind, until: until.toISOString() })) },
    after: { acting: [] },
    ...(reason === undefined ? {} : { reason }),
  });
}

/** Opens cards that a person closed; what card testing set off stays. */
export async function liftPauses(ctx: Context, sessionId: string): Promise<void> {
  const at = now(ctx);
  const lifted = await ctx.db
    .update(cardAlarms)
    .set({ liftedAt: at })
    .where(
      and(
        eq(cardAlarms.clientId, ctx.account.id),
        eq(cardAlarms.refId, sessionId),
        eq(cardAlarms.cause, "person"),
        gt(cardAlarms.until, at),
        isNull(cardAlarms.liftedAt),
      ),
    )
    .returning({ until: cardAlarms.until });
  await audit(ctx, {
    action: "card_testing.reopened",
    object: "session",
    objectId: sessionId,
    before: { until: lifted[0]?.until.toISOString() ?? null },
    after: { until: null },
  });
}

/** Lets an alarm act until later than it would by itself. Answers whether it was still acting. */
export async function extendAlarm(ctx: Context, id: string, seconds: number, reason: string): Promise<boolean> {
  const at = now(ctx);
  const [before] = await ctx.db
    .select()
    .from(cardAlarms)
    .where(and(eq(cardAlarms.clientId, ctx.account.id), eq(cardAlarms.id, id)))
    .for("update");
  if (!before || before.liftedAt || before.until <= at) return false;
  const until = addSeconds(before.until, seconds);
  await ctx.db.update(cardAlarms).set({ until, note: reason }).where(eq(cardAlarms.id, id));
  await audit(ctx, {
    action: "card_testing.extended",
    object: OBJECTS[before.scope],
    objectId: before.refId,
    before: { kind: before.kind, until: before.until.toISOString() },
    after: { kind: before.kind, until: until.toISOString() },
    reason,
  });
  return true;
}

/** Closes a link for cards by hand, for a time; Pix and boleto stay. */
export async function pauseCards(ctx: Context, sessionId: string, seconds: number, reason: string): Promise<void> {
  const at = now(ctx);
  const until = addSeconds(at, seconds);
  await ctx.db.insert(cardAlarms).values({
    id: newId(),
    clientId: ctx.account.id,
    scope: "link",
    refId: sessionId,
    kind: "cards_paused",
    cause: "person",
    tried: 0,
    declined: 0,
    raisedAt: at,
    until,
    note: reason,
  });
  await audit(ctx, {
    action: "card_testing.paused",
    object: "session",
    objectId: sessionId,
    after: { until: until.toISOString() },
    reason,
  });
}

export interface BlockedCard {
  bin: string;
  last4: string | null;
  links: number;
  until: Date;
}

/** Cards that no link takes at this moment, because they were tried on too many. */
export async function blockedCards(ctx: Context, sessions: number, limit: number): Promise<BlockedCard[]> {
  const links = sql<number>`count(distinct ${cardTries.sessionId})`;
  const rows = await ctx.db
    .select({
      bin: cardTries.bin,
      // Names are written out: of one table alone, columns stand without theirs.
      last4: sql<string | null>`(select c.last4digits from cards c
        where c.client_id = "card_tries"."client_id" and c.fingerprint = "card_tries"."fingerprint" limit 1)`,
      links: links.mapWith(Number),
      newest: sql<string>`max(${cardTries.at})`,
    })
    .from(cardTries)
    .where(
      and(eq(cardTries.clientId, ctx.account.id), gt(cardTries.at, addSeconds(now(ctx), -LIMITS.card.withinSeconds))),
    )
    .groupBy(cardTries.clientId, cardTries.fingerprint, cardTries.bin)
    .having(sql`${links} >= ${sessions}`)
    .orderBy(desc(links))
    .limit(limit);
  return rows.map(({ newest, ...row }) => ({
    ...row,
    until: addSeconds(new Date(newest), LIMITS.card.withinSeconds),
  }));
}
