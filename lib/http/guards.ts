import { findPan, hasCardMember } from "@/lib/brazil/card-brand";
import { DomainError, invalid } from "@/lib/errors";
import type { Envelope } from "@/lib/http/errors";

/** A card number anywhere but in the member that asks for one is refused before it is logged, hashed or stored. */
export function refusePan(
  body: unknown,
  { cardAt, envelope }: { cardAt?: readonly string[]; envelope?: Envelope },
): void {
  if (body === undefined) return;
  if (envelope === "purchases") refuseCardData(body);
  else if (findPan(cardAt ? without(body, cardAt) : body)) throw invalid("card numbers are not accepted here");
}

/** Purchases take no card data whatever: neither a number nor a member that would carry one. */
function refuseCardData(body: unknown): void {
  if (!hasCardMember(body) && !findPan(body)) return;
  const message = "card data is not accepted here";
  throw new DomainError("pan_not_allowed", message, { details: [message] });
}

function without(value: unknown, path: readonly string[]): unknown {
  const [head, ...rest] = path;
  if (head === undefined || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { [head]: member, ...others } = value as Record<string, unknown>;
  return rest.length === 0 ? others : { ...others, [head]: without(member, rest) };
}
