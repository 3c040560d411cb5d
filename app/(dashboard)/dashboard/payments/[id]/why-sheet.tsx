import { getTranslations } from "next-intl/server";
import { panelWords } from "@/app/(dashboard)/dashboard/payments/[id]/panel-words";
import { ledgerRows } from "@/app/(dashboard)/dashboard/payments/[id]/panels";
import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { ActionDialog } from "@/components/charges/action-dialog";
import { LedgerTable } from "@/components/charges/ledger-table";
import { ledgerOf } from "@/lib/charges/overview";
import type { Context } from "@/lib/context";
import type { OperatorRole } from "@/lib/operators/sessions";

/** Each figure of the strip: its rule in a sentence, and the journals that made it. */
const FIGURES = {
  requested: { name: "stripRequested", rule: "whyRequested", journals: [] },
  held: { name: "stripHeld", rule: "whyHeld", journals: ["hold", "hold_release"] },
  captured: { name: "stripCaptured", rule: "whyCaptured", journals: ["capture"] },
  refunded: { name: "stripRefunded", rule: "whyRefunded", journals: ["refund", "reversal"] },
  disputed: { name: "stripDisputed", rule: "whyDisputed", journals: ["chargeback", "chargeback_refund"] },
  remaining: {
    name: "stripRemaining",
    rule: "whyRemaining",
    journals: ["capture", "refund", "reversal", "chargeback", "chargeback_refund"],
  },
} as const;
type Figure = keyof typeof FIGURES;

export const isFigure = (text: string | undefined): text is Figure =>
  text !== undefined && Object.hasOwn(FIGURES, text);

interface WhySheetProps {
  ctx: Context;
  role: OperatorRole;
  /** The charge itself, or those of a purchase. */
  chargeIds: readonly string[];
  figure: string | undefined;
  path: string;
  words: Words;
}

export async function WhySheet({ ctx, role, chargeIds, figure, path, words }: WhySheetProps) {
  if (!isFigure(figure)) return null;
  const [t, say, books] = await Promise.all([
    getTranslations("payments"),
    panelWords(),
    Promise.all(chargeIds.map((id) => ledgerOf(ctx, role, id))),
  ]);
  const { name, rule, journals: types } = FIGURES[figure];
  // Whoever may not see the ledger reads the rule alone.
  const lines = books.some((book) => book === undefined)
    ? undefined
    : books
        .flatMap((book) => book ?? [])
        .filter(({ type }) => types.some((each) => each === type))
        .sort((one, other) => one.at.getTime() - other.at.getTime());
  return (
    <ActionDialog title={t(name)} text={t(rule)} closeHref={path} shape="sheet">
      <div className="pt-4 pb-5">
        {lines === undefined || types.length === 0 ? null : (
          <LedgerTable
            texts={{
              caption: t("ledgerCaption"),
              entry: t("ledgerEntry"),
              account: t("ledgerAccount"),
              amount: t("columnAmount"),
              empty: t("ledgerEmpty"),
            }}
            journals={ledgerRows(lines, say, words)}
          />
        )}
      </div>
    </ActionDialog>
  );
}
