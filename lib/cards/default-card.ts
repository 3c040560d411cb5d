import { and, desc, eq, isNull, ne, type SQL, sql } from "drizzle-orm";
import { cards, customers } from "@/db/schema/customers";
import type { CardRow } from "@/lib/cards/queries";
import type { Context } from "@/lib/context";
import { DomainError } from "@/lib/errors";

/** The card a customer pays with: the default one, else the last linked that is not failed. */
export async function defaultCardOf(ctx: Context, customerId: string): Promise<CardRow> {
  const [found] = await ctx.db
    .select({ card: cards })
    .from(cards)
    .innerJoin(customers, eq(customers.id, cards.customerId))
    .where(and(eq(customers.id, customerId), isNull(customers.deletedAt), usableOf(ctx)))
    .orderBy(sql`(${cards.id} = ${customers.defaultCardId}) desc nulls last`, desc(cards.linkedAt), desc(cards.id))
    .limit(1);
  if (!found) throw new DomainError("default_card_missing", "the customer has no card that can be used");
  return found.card;
}

const usableOf = (ctx: Context): SQL | undefined =>
  and(eq(cards.clientId, ctx.account.id), isNull(cards.deletedAt), ne(cards.status, "failed"));
