import { getTranslations } from "next-intl/server";
import type { AlarmRow } from "@/lib/velocity/alarms";
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

export async function alarmWords() {
  const t = await getTranslations("protection");
  return {
    effect: ({ kind }: AlarmRow) => t(EFFECT_TEXTS[kind]),
    /** `who` closed the cards, where it is known. */
    cause: ({ cause, tried, declined }: AlarmRow, who?: string) =>
      cause === "person" && who ? t("causePersonNamed", { who }) : t(CAUSE_TEXTS[cause], { tried, declined }),
  };
}
