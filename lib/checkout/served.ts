import type { MethodKind } from "@/lib/checkout/view";
import { type Context, inTransaction } from "@/lib/context";
import { findMerchant } from "@/lib/merchants/queries";
import type { PaymentNeeds } from "@/lib/payments/routing/facts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { ableProviders } from "@/lib/payments/routing/record";
import { providerFor } from "@/lib/providers/registry";
import type { SessionRow } from "@/lib/sessions/state";

const METHODS: Readonly<Record<MethodKind, PaymentNeeds["method"]>> = {
  pix: "pix",
  card: "credit",
  cards: "credit",
  boleto: "boleto",
  nupay: "nupay",
  drip: "drip",
};

/** What the shop's providers make of a method. */
export interface ServedPage {
  /** Parts that at least one of them takes; 1 where there are none. */
  readonly mostParts: number;
}

/** Those of the methods that a provider of the shop can take now, as far as is known without asking one. */
export async function servedKinds(
  ctx: Context,
  session: SessionRow,
  kinds: readonly MethodKind[],
): Promise<ReadonlyMap<MethodKind, ServedPage>> {
  return inTransaction(ctx, async (inside) => {
    const served = new Map<MethodKind, ServedPage>();
    const merchant = await findMerchant(inside, session.merchantId);
    if (!merchant?.status) return served;
    for (const kind of kinds) {
      const found = await servedBy(inside, session, kind);
      if (found) served.set(kind, found);
    }
    return served;
  });
}

async function servedBy(ctx: Context, session: SessionRow, kind: MethodKind): Promise<ServedPage | undefined> {
  const [rule] = session.splitRules;
  const needs: PaymentNeeds = {
    method: METHODS[kind],
    currency: session.currency,
    installments: 1,
    split: rule ? (rule.amount === undefined ? "percentage" : "amount") : false,
    threeDS: false,
    authOnly: kind === "cards" || (kind === "card" && !session.capture),
    queryable: kind === "cards",
  };
  const able = await ableProviders(ctx, session.merchantId, needs);
  // A number that only one of them takes is offered all the same: the payment is routed to that one.
  return able.length === 0 ? undefined : { mostParts: Math.max(1, ...able.map(partsTaken)) };
}

function partsTaken({ kind }: RoutedProvider): number {
  const { card } = providerFor(kind).capabilities;
  return card === false ? 1 : card.maxInstallments;
}
