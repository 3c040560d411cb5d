import type { CardCheckRow, CardRow } from "@/lib/cards/queries";
import { cardBody } from "@/lib/cards/schema";
import { serializeCard } from "@/lib/cards/serializer";
import { DomainError } from "@/lib/errors";
import { errorAnswer } from "@/lib/http/errors";
import type { Answer } from "@/lib/idempotency";

/** A card as its request left it. */
export interface SavedCard {
  card: CardRow;
  checks: CardCheckRow[];
}

/** What the request that saved a card is answered; 424 where the provider failed while it was checked, and no card is kept. */
export function cardReply(saved: SavedCard | undefined): Answer {
  if (saved) return { status: 201, body: cardBody.parse(serializeCard(saved.card, { checks: saved.checks })) };
  const { status, body } = errorAnswer(NOT_CHECKED, "standard");
  return { status, body };
}

const NOT_CHECKED = new DomainError("card_validation_failed", "the provider failed while the card was checked");
