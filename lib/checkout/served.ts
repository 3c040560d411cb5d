import type { Brand } from "@/lib/brazil/card-brand";
import { brandNames, brandsOf } from "@/lib/checkout/brands";
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
  /** Whose cards at least one of them takes. */
  readonly brands: readonly string[];
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

/** Whose cards the shop's providers take on this link; none where no provider takes any. */
export const brandsTaken = (ctx: Context, session: SessionRow, kind: "card" | "cards"): Promise<readonly Brand[]> =>
  inTransaction(ctx, async (inside) =>
    brandsOf(await ableProviders(inside, session.merchantId, needsOf(session, kind))),
  );

const SUBSCRIBED: PaymentNeeds = {
  method: "credit",
  currency: "BRL",
  installments: 1,
  split: false,
  threeDS: false,
  authOnly: false,
};
/** Of another card for what is charged again and again. Inside a transaction. */
export const brandsKept = async (ctx: Context, merchantId: string): Promise<readonly Brand[]> =>
  brandsOf(await ableProviders(ctx, merchantId, SUBSCRIBED));

function needsOf(session: SessionRow, kind: MethodKind): PaymentNeeds {
  const [rule] = session.splitRules;
  return {
    method: METHODS[kind],
    currency: session.currency,
    installments: 1,
    split: rule ? (rule.amount === undefined ? "percentage" : "amount") : false,
    threeDS: false,
    authOnly: kind === "cards" || (kind === "card" && !session.capture),
    queryable: kind === "cards",
  };
}

async function servedBy(ctx: Context, session: SessionRow, kind: MethodKind): Promise<ServedPage | undefined> {
  const able = await ableProviders(ctx, session.merchantId, needsOf(session, kind));
  if (able.length === 0) return undefined;
  // A number that only one of them takes is offered all the same: the payment is routed to that one.
  return { mostParts: Math.max(1, ...able.map(partsTaken)), brands: brandNames(brandsOf(able)) };
}

function partsTaken({ kind }: RoutedProvider): number {
  const { card } = providerFor(kind).capabilities;
  return card === false ? 1 : card.maxInstallments;
}
