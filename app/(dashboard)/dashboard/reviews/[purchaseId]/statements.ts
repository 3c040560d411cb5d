import { type ProviderTruth, TRUTHS } from "@/lib/charges/review/statement";
import { FOLLOW_UPS, type FollowUp } from "@/lib/purchases/review/choices";
import type { StatementEvidence } from "@/lib/purchases/review/evidence";
import type { SlotEvidence } from "@/lib/purchases/review/read";

const LONGEST_ID = 200;

/** What the person says of each card, read from an address or from a form; nothing is assumed. */
export function readStatements(
  { slots }: { slots: readonly Pick<SlotEvidence, "slotIndex" | "truths">[] },
  textOf: (name: string) => string,
): StatementEvidence[] {
  return slots.flatMap(({ slotIndex, truths }) => {
    const said = TRUTHS.find((truth) => truth === textOf(`truth.${slotIndex}`));
    if (!said || !truths.includes(said)) return [];
    // Of what does not exist there is no id: the field that still has one is hidden by then.
    const transaction = said === "absent" ? "" : textOf(`transaction.${slotIndex}`).slice(0, LONGEST_ID);
    return [
      {
        slotIndex,
        truth: said satisfies ProviderTruth,
        ...(transaction ? { providerTransactionId: transaction } : {}),
      },
    ];
  });
}

export const readFollowUp = (text: string): FollowUp | undefined => FOLLOW_UPS.find((follow) => follow === text);

/** The same statements as fields of an address or of a form. */
export const saidIn = (statements: readonly StatementEvidence[]): Record<string, string> =>
  Object.fromEntries(
    statements.flatMap(({ slotIndex, truth, providerTransactionId }): [string, string][] => [
      [`truth.${slotIndex}`, truth],
      ...(providerTransactionId
        ? [[`transaction.${slotIndex}`, providerTransactionId] satisfies [string, string]]
        : []),
    ]),
  );
