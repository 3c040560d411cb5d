import type { Reader } from "@/lib/checkout/form";
import { savedFingerprints } from "@/lib/checkout/saved-cards";
import type { FieldProblem } from "@/lib/checkout/view";
import type { Context } from "@/lib/context";
import type { SessionRow } from "@/lib/sessions/state";
import type { CardData } from "@/lib/tokens/schema";
import { fingerprintOf } from "@/lib/tokens/service";

/**
 * Several cards of an order are different ones: the one that comes again is refused at its own field. `saved` names the
 * saved card of each place, `typed` the card whose number was typed there.
 */
export async function refuseSameCard(
  ctx: Context,
  session: SessionRow,
  { problems }: Reader,
  saved: readonly string[],
  typed: readonly (Pick<CardData, "cardNumber"> | undefined)[],
): Promise<void> {
  const kept = saved.some(Boolean) ? await savedFingerprints(ctx, session) : new Map<string, string>();
  const isWrong = (card: number) => problems.some((each) => each.field === "cardNumber" && each.card === card);
  const prints = await Promise.all(
    typed.map((one, card) => {
      if (!one) return kept.get(saved[card] ?? "");
      return isWrong(card) ? undefined : fingerprintOf(ctx, one.cardNumber);
    }),
  );
  for (const [card, print] of prints.entries()) {
    const sameAs = print === undefined ? card : prints.indexOf(print);
    // The number of a saved card has no field on the page; its code has one.
    if (sameAs !== card) put(problems, { field: typed[card] ? "cardNumber" : "cardCvv", card, sameAs });
  }
}

/** In place of what else was wrong there: it would be typed for nothing. */
function put(problems: FieldProblem[], problem: FieldProblem): void {
  const at = problems.findIndex(({ field, card }) => field === problem.field && card === problem.card);
  problems.splice(at < 0 ? problems.length : at, at < 0 ? 0 : 1, problem);
}
