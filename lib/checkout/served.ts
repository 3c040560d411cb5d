import type { MethodKind } from "@/lib/checkout/view";
import { type Context, inTransaction } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { findMerchant } from "@/lib/merchants/queries";
import { type PaymentNeeds, routeOf } from "@/lib/payments/routing";
import type { SessionRow } from "@/lib/sessions/state";

const METHODS: Readonly<Record<MethodKind, PaymentNeeds["method"]>> = {
  pix: "pix",
  card: "credit",
  cards: "credit",
  boleto: "boleto",
  nupay: "nupay",
  drip: "drip",
};

/** Those of the methods that a provider of the shop can take now, as far as is known without asking one. */
export async function servedKinds(
  ctx: Context,
  session: SessionRow,
  kinds: readonly MethodKind[],
): Promise<MethodKind[]> {
  return inTransaction(ctx, async (inside) => {
    const merchant = await findMerchant(inside, session.merchantId);
    if (!merchant?.status) return [];
    const served: MethodKind[] = [];
    for (const kind of kinds) if (await isServed(inside, session, kind)) served.push(kind);
    return served;
  });
}

async function isServed(ctx: Context, session: SessionRow, kind: MethodKind): Promise<boolean> {
  const [rule] = session.splitRules;
  const needs: PaymentNeeds = {
    method: METHODS[kind],
    currency: session.currency,
    installments: 1,
    split: rule ? (rule.amount === undefined ? "percentage" : "amount") : false,
    threeDS: false,
    authOnly: kind === "cards" || (kind === "card" && !session.capture),
  };
  try {
    await routeOf(ctx, session.merchantId, needs);
    return true;
  } catch (thrown) {
    if (thrown instanceof DomainError) return false;
    throw thrown;
  }
}
