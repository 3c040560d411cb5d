import { CircleCheck, CircleX, Clock } from "lucide-react";
import { getTranslations } from "next-intl/server";
import type { InvariantState, ProvedInvariant } from "@/lib/invariants/account-proof";
import type { Root } from "@/lib/invariants/catalogue";

const STATE_TEXTS = {
  holds: "stateHolds",
  broken: "stateBroken",
  late: "stateLate",
} as const satisfies Record<InvariantState, string>;

export const STATE_TONES = {
  holds: { tone: "success", icon: CircleCheck },
  broken: { tone: "danger", icon: CircleX },
  late: { tone: "warning", icon: Clock },
} as const satisfies Record<InvariantState, object>;

/** Where a row that breaks an invariant is looked at. */
export const PLACES: Partial<Record<Root, string>> = {
  purchases: "/dashboard/payments",
  charges: "/dashboard/payments",
  sessions: "/dashboard/links",
  subscriptions: "/dashboard/subscriptions",
  audit_log: "/dashboard/audit",
};

/** The catalogue's sentences for people; one that is new is shown as the catalogue has it. */
const INVARIANT_TEXTS = {
  M1: "iM1",
  M2: "iM2",
  M3: "iM3",
  M4: "iM4",
  M5: "iM5",
  M6: "iM6",
  M7: "iM7",
  M8: "iM8",
  M9: "iM9",
  M12: "iM12",
  M13: "iM13",
  M16: "iM16",
  M17: "iM17",
  P3: "iP3",
  P5a: "iP5a",
  P5b: "iP5b",
  P5c: "iP5c",
  P1: "iP1",
  P2: "iP2",
  P2b: "iP2b",
  P5d: "iP5d",
  P6: "iP6",
  P7: "iP7",
  P7b: "iP7b",
  P8: "iP8",
  P8b: "iP8b",
  P9: "iP9",
  P9b: "iP9b",
  P10: "iP10",
  P10b: "iP10b",
  P10c: "iP10c",
  P10d: "iP10d",
  P11: "iP11",
  P12: "iP12",
  P13: "iP13",
  P14: "iP14",
  P15: "iP15",
  P16: "iP16",
  P16b: "iP16b",
  P17: "iP17",
  P18: "iP18",
  P19: "iP19",
  P20: "iP20",
  P21: "iP21",
  P22: "iP22",
  P24: "iP24",
  P25: "iP25",
  P26: "iP26",
  P27: "iP27",
  P28: "iP28",
  P29: "iP29",
  P30: "iP30",
  P31: "iP31",
  P32: "iP32",
  P33: "iP33",
  P37: "iP37",
  P38: "iP38",
  P39: "iP39",
  L2: "iL2",
  L3: "iL3",
  L4: "iL4",
  A1a: "iA1a",
  A1b: "iA1b",
} as const;

export async function invariantWords() {
  const t = await getTranslations("invariants");
  return {
    sentence: ({ id, text }: ProvedInvariant): string =>
      // Guarantee: looked up only where the key exists.
      Object.hasOwn(INVARIANT_TEXTS, id) ? t(INVARIANT_TEXTS[id as keyof typeof INVARIANT_TEXTS]) : text,
    state: ({ state, violations }: ProvedInvariant): string => t(STATE_TEXTS[state], { count: violations }),
  };
}
