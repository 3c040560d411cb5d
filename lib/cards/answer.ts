import type { CardCheckRow, CardRow } from "@/lib/cards/queries";
import { cardBody } from "@/lib/cards/schema";
import { serializeCard } from "@/lib/cards/serializer";
import { DomainError } from "@/lib/errors";
import { errorAnswer } from "@/lib/http/errors";
import type { StoredAnswer } from "@/lib/idempotency";

const stored = (status: number, body: unknown): StoredAnswer => ({ status, body: Buffer.from(JSON.stringify(body)) });

/** What the request that saved a card is answered. */
export const cardReply = (card: CardRow, checks: CardCheckRow[]): StoredAnswer =>
  stored(201, cardBody.parse(serializeCard(card, { checks })));

/** And where the provider failed while it was checked: 424, and no card. */
export const NO_CARD = refusal(
  new DomainError("card_validation_failed", "the provider failed while the card was checked"),
);

function refusal(thrown: DomainError): StoredAnswer {
  const { status, body } = errorAnswer(thrown, "standard");
  return stored(status, body);
}
