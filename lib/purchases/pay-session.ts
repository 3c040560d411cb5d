import type { CardHolder } from "@/db/schema/customers";
import type { Context } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import type { AcceptedPurchase } from "@/lib/purchases/answer";
import { createPurchase } from "@/lib/purchases/create";
import type { PayOptions } from "@/lib/session-payments/pay";
import type { SessionRow } from "@/lib/sessions/state";

export interface PaymentByCards {
  /** Two or three, in the order they are held in; they add up to the session's amount. */
  payments: {
    amount: number;
    installments: number;
    source: { tokenId: string } | { cardId: string; cvvToken: string | undefined };
    holder?: CardHolder | undefined;
  }[];
  customerId?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** Pays a session with several cards: accepted at once, carried out by a worker (design/checkout.md section 5). */
export async function payByCards(
  ctx: Context,
  session: SessionRow,
  { payments, customerId, metadata }: PaymentByCards,
  { alongside }: PayOptions = {},
): Promise<AcceptedPurchase> {
  const { idempotency: _key, ...plain } = ctx;
  refuseInstallments(session, payments);
  const input = {
    merchantId: session.merchantId,
    amount: session.amount,
    currency: session.currency,
    capture: session.capture,
    orderId: session.orderId ?? undefined,
    sessionId: session.id,
    customerId: customerId ?? session.customerId ?? undefined,
    description: session.description ?? undefined,
    statementDescriptor: session.statementDescriptor ?? undefined,
    metadata,
    splitRules: undefined,
    payments: payments.map(({ amount, installments, source }) => ({
      amount,
      slotIndex: undefined,
      paymentMethod: { paymentType: "credit" as const, installments },
      paymentSource:
        "tokenId" in source
          ? { sourceType: "token" as const, tokenId: source.tokenId, cardId: undefined }
          : { sourceType: "card" as const, cardId: source.cardId, tokenId: undefined },
    })),
  };
  const cvvTokens = payments.map(({ source }) => ("cardId" in source ? source.cvvToken : undefined));
  const holders = payments.map(({ holder }) => holder);
  return createPurchase(plain, input, { tellsWhy: true, alongside, cvvTokens, holders });
}

function refuseInstallments({ paymentMethods }: SessionRow, payments: PaymentByCards["payments"]): void {
  const credit = paymentMethods.find(({ paymentType }) => paymentType === "credit");
  if (!credit) throw new DomainError("payment_method_not_allowed", "the session does not offer this payment method");
  if (payments.some(({ installments }) => installments > Number(credit.installments))) {
    throw new DomainError("session_installments_not_allowed", "the session does not offer that many installments");
  }
}
