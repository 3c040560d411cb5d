import { and, desc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { cardTries } from "@/db/schema/captcha";
import type { CaptchaLevel } from "@/lib/captcha/challenge";
import { type Context, inTransaction, now } from "@/lib/context";
import { addSeconds } from "@/lib/time";
import { type AlarmRow, alarmsOn, isByHand, standingAlarms } from "@/lib/velocity/alarms";
import { IN_FLIGHT_SECONDS, LIMITS, type Limits } from "@/lib/velocity/limits";
import { protectionOf } from "@/lib/velocity/protection";
import { type CardSubject, type Counted, counted, hasVisits } from "@/lib/velocity/subject";

export type CardsStanding = "open" | "visit_closed" | "too_many" | "card_overused" | "paused";

/** How a buyer stands on a link, before paying. */
export interface VelocityStanding {
  /** What a payment by card must solve; other methods only when the link asks for a captcha. */
  captcha: CaptchaLevel | "none";
  cards: CardsStanding;
  /** When cards may open again. */
  retryAfterSeconds?: number;
  /** The last decline of the visit is shown without its reason: to be asked again once it is known. */
  isNeutral: boolean;
}

/**
 * In a transaction of its own, so that an alarm it sets off stands whatever becomes of the payment. For the page before
 * it is shown, and before a payment by card is accepted; `admitCards` is the second half.
 */
export const checkVelocity = (ctx: Context, subject: CardSubject): Promise<VelocityStanding> =>
  inTransaction(ctx, async (inside) => {
    const of = counted(subject);
    const { isOn, limits } = await protectionOf(inside);
    const declinedHere = await declinesOf(inside, of, limits, eq(cardTries.sessionId, of.sessionId));
    const inVisit = await declinesOf(inside, of, limits);
    // A link that a browser's key makes anew forgives nothing.
    const refused = of.key === undefined ? declinedHere : inVisit;
    const byLink = subject.captchaEnabled || refused.length > 0 ? "normal" : "none";
    const all = await alarmsOn(inside, of, limits);
    const byHand = all.find(isByHand);
    if (!isOn) return { captcha: byLink, ...(byHand ? pausedUntil(now(inside), byHand) : OPEN), isNeutral: false };
    const ofAddress = await declinesOfAddress(inside, of, limits);
    const alarms = all.filter((alarm) => !isByHand(alarm));
    const isSteppedUp = alarms.length > 0;
    return {
      captcha: isSteppedUp || ofAddress.length >= limits.address.hardAfter ? "hard" : byLink,
      ...cardsStanding(
        now(inside),
        { declinedHere: hasVisits(of) ? declinedHere : [], ofAddress, alarms: all },
        limits,
      ),
      isNeutral: isSteppedUp || inVisit.length > limits.neutralAfter,
    };
  });

/** How hard a captcha must be on top of being asked for; sets nothing off. */
export async function levelNow(ctx: Context, subject: CardSubject): Promise<CaptchaLevel> {
  const of = counted(subject);
  const { isOn, limits } = await protectionOf(ctx);
  if (!isOn) return "normal";
  const isSteppedUp = (await standingAlarms(ctx, of)).some((alarm) => !isByHand(alarm));
  return isSteppedUp || (await declinesOfAddress(ctx, of, limits)).length >= limits.address.hardAfter
    ? "hard"
    : "normal";
}

const OPEN = { cards: "open" } as const;

const pausedUntil = (at: Date, { until }: AlarmRow) =>
  ({ cards: "paused", retryAfterSeconds: left(at, until, 0) }) as const;

interface Seen {
  /** Moments of declines, newest first. */
  declinedHere: readonly Date[];
  ofAddress: readonly Date[];
  alarms: readonly AlarmRow[];
}

function cardsStanding(
  at: Date,
  { declinedHere, ofAddress, alarms }: Seen,
  limits: Limits,
): Pick<VelocityStanding, "cards" | "retryAfterSeconds"> {
  const closing = declinedHere[limits.visit.declined - 1];
  if (closing) return { cards: "visit_closed", retryAfterSeconds: left(at, closing, limits.visit.withinSeconds) };
  const flooding = ofAddress[limits.address.declined - 1];
  if (flooding) return { cards: "too_many", retryAfterSeconds: left(at, flooding, limits.address.withinSeconds) };
  const pause = alarms.find(({ kind }) => kind === "cards_paused");
  return pause ? pausedUntil(at, pause) : OPEN;
}

const left = (at: Date, since: Date, seconds: number): number =>
  Math.max(1, Math.ceil((addSeconds(since, seconds).getTime() - at.getTime()) / 1000));

/** Declines of this visit, newest first. */
const declinesOf = (ctx: Context, { visit }: Counted, limits: Limits, more?: SQL): Promise<Date[]> =>
  moments(ctx, and(eq(cardTries.visit, visit), more), limits.visit, isDeclined);

const declinesOfAddress = (ctx: Context, { ip }: Counted, limits: Limits): Promise<Date[]> =>
  moments(ctx, eq(cardTries.ip, ip), limits.address, isDeclined);

const isDeclined = () => eq(cardTries.outcome, "declined");

async function moments(
  ctx: Context,
  which: SQL | undefined,
  { declined, withinSeconds }: { declined: number; withinSeconds: number },
  counts: (ctx: Context) => SQL | undefined,
): Promise<Date[]> {
  const rows = await ctx.db
    .select({ at: cardTries.at })
    .from(cardTries)
    .where(
      and(
        eq(cardTries.clientId, ctx.account.id),
        which,
        gt(cardTries.at, addSeconds(now(ctx), -withinSeconds)),
        counts(ctx),
      ),
    )
    .orderBy(desc(cardTries.at))
    .limit(declined);
  return rows.map(({ at }) => at);
}

/** As a decline until the answer is there, for a minute. */
const mayDecline = (ctx: Context): SQL | undefined =>
  or(isDeclined(), and(isNull(cardTries.outcome), gt(cardTries.at, addSeconds(now(ctx), -IN_FLIGHT_SECONDS))));

/** The limits that a crowd of requests at the same moment must not get past; their counts are locked by the caller. */
export async function standingNow(ctx: Context, of: Counted, limits: Limits): Promise<CardsStanding> {
  const here = and(eq(cardTries.visit, of.visit), eq(cardTries.sessionId, of.sessionId));
  const isClosed =
    hasVisits(of) && (await moments(ctx, here, limits.visit, mayDecline)).length >= limits.visit.declined;
  if (isClosed) return "visit_closed";
  const address = await moments(ctx, eq(cardTries.ip, of.ip), limits.address, mayDecline);
  return address.length >= limits.address.declined ? "too_many" : "open";
}

/** On how many other links this card was tried within the hour. */
export async function linksOf(ctx: Context, fingerprint: string, sessionId: string): Promise<number> {
  const [row] = await ctx.db
    .select({ links: sql`count(distinct ${cardTries.sessionId})`.mapWith(Number) })
    .from(cardTries)
    .where(
      and(
        eq(cardTries.clientId, ctx.account.id),
        eq(cardTries.fingerprint, fingerprint),
        gt(cardTries.at, addSeconds(now(ctx), -LIMITS.card.withinSeconds)),
        sql`${cardTries.sessionId} <> ${sessionId}`,
      ),
    );
  return row?.links ?? 0;
}
