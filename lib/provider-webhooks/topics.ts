export type NoticeTopic = "analysis" | "capture" | "dispute" | "end" | "mandate" | "payment" | "refund";

/** The first that fits: a refund of a dispute speaks of the dispute, a charge that was refunded of the refund. */
const TOPICS: readonly (readonly [NoticeTopic, RegExp])[] = [
  ["dispute", /charged?back|dispute|prearbitration/],
  ["refund", /refund|devolucao/],
  ["analysis", /analysis|antifraud/],
  ["mandate", /^(rec|cobr)$|mandate/],
  ["capture", /capture(?!able)/],
  ["end", /cancel|void|expire|offer_closed/],
];

/** What a provider's notification is about, by the provider's own word for it; each provider has words of its own. */
export const topicOfNotice = (type: string): NoticeTopic =>
  TOPICS.find(([, pattern]) => pattern.test(type.toLowerCase()))?.[0] ?? "payment";
