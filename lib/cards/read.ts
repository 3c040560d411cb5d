import { cardChecksOf } from "@/lib/cards/queries";
import type { CardBody } from "@/lib/cards/schema";
import { serializeCard } from "@/lib/cards/serializer";
import { getCard } from "@/lib/cards/service";
import type { Context } from "@/lib/context";
import { findCustomer } from "@/lib/customers/queries";

/** A card with all that is told of it: its customer and its checks. */
export async function readCard(ctx: Context, id: string): Promise<CardBody> {
  const card = await getCard(ctx, id);
  const checks = await cardChecksOf(ctx, id);
  const customer = card.customerId ? await findCustomer(ctx, card.customerId) : undefined;
  return serializeCard(card, { checks, customer: customer ?? null });
}
