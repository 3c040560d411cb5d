import { and, desc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { type ALARM_KINDS, cardAlarms, cardTries } from "@/db/schema/captcha";
import { audit } from "@/lib/audit";
import { type Context, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { addSeconds } from "@/lib/time";
import { ALARM_SECONDS, LIMITS, MOST_COUNTED } from "@/lib/velocity/limits";
import type { Counted } from "@/lib/velocity/subject";

export type AlarmRow = typeof cardAlarms.$inferSelect;
type AlarmKind = (typeof ALARM_KINDS)[number];

interface Tally {
  tried: number;
  declined: number;
}

/** The alarms that act on a link now, after setting off those that are due. */
export async function alarmsOn(ctx: Context, subject: Counted): Promise<AlarmRow[]> {
  const standing = await standingAlarms(ctx, subject);
  const raised = await due(ctx, subject, standing);
  return [...standing, ...raised];
}

/** Those that act already; nothing is counted anew. */
export async function standingAlarms(
  ctx: Context,
  { sessionId, merchantId }: Pick<Counted, "sessionId" | "merchantId">,
): Promise<AlarmRow[]> {
  return ctx.db
    .select()
    .from(cardAlarms)
    .where(
      and(
        eq(cardAlarms.clientId, ctx.account.id),
        inArray(cardAlarms.refId, [sessionId, merchantId]),
        gt(cardAlarms.until, now(ctx)),
        isNull(cardAlarms.liftedAt),
      ),
    );
}

/** Whether an alarm of the merchant is set off depends on those it has had: see `pauses`. */
async function due(ctx: Context, subject: Counted, standing: readonly AlarmRow[]): Promise<AlarmRow[]> {
  const has = (refId: string, kind: AlarmKind) =>
    standing.find((alarm) => alarm.refId === refId && alarm.kind === kind);
  const raised: AlarmRow[] = [];
  const link = await tally(ctx, "session", subject.sessionId, LIMITS.link.withinSeconds);
  if (!has(subject.sessionId, "step_up")) {
    if (link.declined >= LIMITS.link.declined && isMost(link, LIMITS.link.share)) {
      raised.push(await raise(ctx, { scope: "link", refId: subject.sessionId, cause: "link_declines", ...link }));
    } else {
      const cards = await cardsOfOneBin(ctx, subject);
      if (cards >= LIMITS.sameBin.cards) {
        const counts = { tried: cards, declined: link.declined };
        raised.push(
          await raise(ctx, { scope: "link", refId: subject.sessionId, cause: "same_bin_and_amount", ...counts }),
        );
      }
    }
  }
  const stepUp = has(subject.merchantId, "step_up");
  const merchant = await tally(ctx, "merchant", subject.merchantId, LIMITS.merchant.withinSeconds);
  const ofMerchant = { scope: "merchant", refId: subject.merchantId, cause: "merchant_declines" } as const;
  if (!stepUp) {
    if (merchant.tried >= LIMITS.merchant.tried && isMost(merchant, LIMITS.merchant.share)) {
      raised.push(await raise(ctx, { ...ofMerchant, ...merchant }));
    }
  } else if (!has(subject.merchantId, "cards_paused")) {
    const since = await tallySince(ctx, "merchant", subject.merchantId, stepUp.raisedAt);
    if (since.tried >= LIMITS.merchant.triedUntilPause && isMost(since, LIMITS.merchant.share)) {
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

/** Ends the alarms of a merchant or a link before their time; a person decides that. */
export async function liftAlarms(ctx: Context, refId: string): Promise<void> {
  const at = now(ctx);
  await ctx.db
    .update(cardAlarms)
    .set({ liftedAt: at })
    .where(
      and(
        eq(cardAlarms.clientId, ctx.account.id),
        eq(cardAlarms.refId, refId),
        gt(cardAlarms.until, at),
        isNull(cardAlarms.liftedAt),
      ),
    );
  await audit(ctx, { action: "card_testing.lifted", object: "merchant", objectId: refId });
}
