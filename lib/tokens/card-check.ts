import { luhnOk } from "@/lib/brazil/card-brand";
import { type Context, now } from "@/lib/context";
import { CardRefused } from "@/lib/errors";
import { outcomeOfPan } from "@/lib/reference/sandbox-pans";
import { addSeconds } from "@/lib/time";
import type { CardData } from "@/lib/tokens/schema";

/** A card is good until its month ends in São Paulo, three hours behind UTC all year. */
const SAO_PAULO_SECONDS = -10_800;

/** Refuses what can be known to be wrong before anybody is asked (spec/contract.md 5.1). */
export function checkCard(ctx: Context, card: CardData): void {
  if (!luhnOk(card.cardNumber)) throw new CardRefused("invalid_number", "the card number is not valid");
  // A number of the simulator is no real card, so no real provider may see it.
  if (ctx.account.mode === "live" && outcomeOfPan(card.cardNumber)) {
    throw new CardRefused("invalid_number", "the card number is not valid");
  }
  const { month, year } = cardExpiryOf(card);
  const thisMonth = addSeconds(now(ctx), SAO_PAULO_SECONDS).toISOString().slice(0, 7);
  if (`${year}-${month}` < thisMonth) throw new CardRefused("expired_card", "the card has expired");
}

export const cardExpiryOf = (card: CardData): { month: string; year: string } => ({
  month: card.cardExpirationDate.slice(0, 2),
  year: card.cardExpirationDate.slice(3),
});
