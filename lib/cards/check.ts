import { and, eq } from "drizzle-orm";
import { cards } from "@/db/schema/customers";
import type { CardRow } from "@/lib/cards/queries";
import { settleCardCheck } from "@/lib/cards/service";
import { type Context, now } from "@/lib/context";
import type { CardVerdict } from "@/lib/payments/verify-card";

/** Writes what the check makes of a pending card; undefined when no card is kept (spec/contract.md 6.1). */
export async function settleCheck(ctx: Context, card: CardRow, result: CardVerdict): Promise<CardRow | undefined> {
  switch (result.kind) {
    case "approved":
      // An approval without a verdict on the CVV proves the number, not that the buyer holds the card.
      return end(ctx, card, result.cvvChecked ? VALIDATED : failed("invalid_cvv"));
    case "declined":
      return end(ctx, card, failed(result.code));
    case "provider_failed":
      await ctx.db.delete(cards).where(isPending(ctx, card));
      return undefined;
    default:
      return card;
  }
}

const VALIDATED = { status: "active", cvvChecked: true, statusReason: "zero dollar" } as const;
const failed = (code: string) => ({ status: "failed", statusReason: code }) as const;

const isPending = (ctx: Context, card: CardRow) =>
  and(eq(cards.clientId, ctx.account.id), eq(cards.id, card.id), eq(cards.status, "pending"));

async function end(ctx: Context, card: CardRow, change: Partial<CardRow>): Promise<CardRow> {
  const settled = await settleCardCheck(ctx, { ...change, updatedAt: now(ctx) }, isPending(ctx, card));
  return settled ?? card;
}
