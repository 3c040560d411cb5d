import { DAY_SECONDS } from "@/lib/time";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The signals of card testing and what they set off (spec/reliability.md 2.10). */
export const LIMITS = {
  /** Declines of a visit after which nobody is told a reason any more. */
  neutralAfter: 2,
  /** Declines of one link and visit after which cards are closed for that visit. */
  visit: { declined: 5, withinSeconds: DAY_SECONDS },
  /** Declines of one address: a hard captcha, then no cards. */
  address: { hardAfter: 10, declined: 20, withinSeconds: HOUR },
  /** Tries on the page of one subscription, where an approved card costs nothing and so ends nothing. */
  subscription: { tried: 10, withinSeconds: DAY_SECONDS },
  /** Links on which one card may be tried. */
  card: { sessions: 3, withinSeconds: HOUR },
  link: { declined: 20, share: 0.5, withinSeconds: 10 * MINUTE },
  merchant: { tried: 30, share: 0.5, withinSeconds: 10 * MINUTE, triedUntilPause: 30 },
  sameBin: { cards: 8, withinSeconds: 10 * MINUTE },
} as const;

/** What an account may make stricter for itself, and the number it may not go above. */
export const ADJUSTABLE = {
  neutralAfter: LIMITS.neutralAfter,
  visitDeclined: LIMITS.visit.declined,
  addressHardAfter: LIMITS.address.hardAfter,
  addressDeclined: LIMITS.address.declined,
  cardSessions: LIMITS.card.sessions,
  linkDeclined: LIMITS.link.declined,
  merchantTried: LIMITS.merchant.tried,
  merchantUntilPause: LIMITS.merchant.triedUntilPause,
  sameBinCards: LIMITS.sameBin.cards,
} as const;
export type LimitName = keyof typeof ADJUSTABLE;
// Object.keys of the literal gives exactly its keys.
export const LIMIT_NAMES = Object.keys(ADJUSTABLE) as LimitName[];
export type StricterLimits = Partial<Record<LimitName, number>>;

/** Whatever was stored, never looser than the product's own. */
export function limitsWith(stricter: Readonly<Record<string, number>> | null | undefined) {
  const of = (name: LimitName): number => Math.max(1, Math.min(ADJUSTABLE[name], stricter?.[name] ?? Number.MAX_VALUE));
  return {
    neutralAfter: of("neutralAfter"),
    visit: { ...LIMITS.visit, declined: of("visitDeclined") },
    address: { ...LIMITS.address, hardAfter: of("addressHardAfter"), declined: of("addressDeclined") },
    card: { ...LIMITS.card, sessions: of("cardSessions") },
    link: { ...LIMITS.link, declined: of("linkDeclined") },
    merchant: { ...LIMITS.merchant, tried: of("merchantTried"), triedUntilPause: of("merchantUntilPause") },
    sameBin: { ...LIMITS.sameBin, cards: of("sameBinCards") },
  };
}
export type Limits = ReturnType<typeof limitsWith>;

/** A try without an answer counts as a decline that long: a hundred sent at once are a hundred, not none. */
export const IN_FLIGHT_SECONDS = 60;

/** How long an alarm acts after it was last set off. */
export const ALARM_SECONDS = { step_up: 30 * MINUTE, cards_paused: 60 * MINUTE } as const;

/** Read at most, newest first: beyond that a share does not change any more. */
export const MOST_COUNTED = 2_000;
