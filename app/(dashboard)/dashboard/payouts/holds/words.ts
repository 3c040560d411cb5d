import { getTranslations } from "next-intl/server";
import { REASON_TEXTS } from "@/app/(dashboard)/dashboard/payouts/words";
import type { ShownHold } from "@/lib/finance/holds";

const CAUSES = {
  account: "causeAccount",
  operator: "causeOperator",
  new_account: "causeNewAccount",
} as const satisfies Record<ShownHold["cause"], string>;

/** What the list and its file say of a hold. */
export async function holdWords() {
  const t = await getTranslations("payouts");
  return {
    cause: (cause: ShownHold["cause"]): string => t(CAUSES[cause]),
    why: ({ cause, reason }: ShownHold): string => {
      if (reason === null || cause !== "account") return reason ?? t(CAUSES[cause]);
      return Object.hasOwn(REASON_TEXTS, reason)
        ? // Guarantee: looked up only where the key exists.
          t(REASON_TEXTS[reason as keyof typeof REASON_TEXTS])
        : reason;
    },
  };
}
