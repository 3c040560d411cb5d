import { getFormatter, getTranslations } from "next-intl/server";
import { type AlarmRow, isByHand } from "@/lib/velocity/alarms";
import type { LimitName } from "@/lib/velocity/limits";

const EFFECT_TEXTS = { step_up: "stepUp", cards_paused: "cardsPaused" } as const satisfies Record<
  AlarmRow["kind"],
  string
>;
const CAUSE_TEXTS = {
  link_declines: "causeLink",
  merchant_declines: "causeMerchant",
  same_bin_and_amount: "causeBin",
  person: "causePerson",
} as const satisfies Record<AlarmRow["cause"], string>;

export const LIMIT_TEXTS = {
  neutralAfter: "limitNeutral",
  visitDeclined: "limitVisit",
  addressHardAfter: "limitAddressHard",
  addressDeclined: "limitAddress",
  cardSessions: "limitCard",
  linkDeclined: "limitLink",
  merchantTried: "limitMerchant",
  merchantUntilPause: "limitPause",
  sameBinCards: "limitBin",
} as const satisfies Record<LimitName, string>;

/** Where the limits do not act, only what a person closed is in force; the rest would be. */
export const byForce = (alarms: readonly AlarmRow[], isOn: boolean) => ({
  inForce: alarms.filter((alarm) => isOn || isByHand(alarm)),
  onlyCounted: alarms.filter((alarm) => !isOn && !isByHand(alarm)),
});

const LINK_TAIL = 6;

export async function alarmWords() {
  const [t, format] = await Promise.all([getTranslations("protection"), getFormatter()]);
  return {
    /** Several links may have one name. */
    link: ({ id, name, createdAt }: { id: string; name: string | null; createdAt: Date }) =>
      t("linkName", {
        name: name ?? "",
        tail: id.slice(-LINK_TAIL),
        when: format.dateTime(createdAt, { dateStyle: "medium", timeStyle: "short" }),
      }),
    effect: ({ kind }: AlarmRow) => t(EFFECT_TEXTS[kind]),
    /** `who` closed the cards, where it is known. */
    cause: ({ cause, tried, declined }: AlarmRow, who?: string) =>
      cause === "person" && who ? t("causePersonNamed", { who }) : t(CAUSE_TEXTS[cause], { tried, declined }),
  };
}
