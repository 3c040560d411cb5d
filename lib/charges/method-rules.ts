import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { NewCharge, NewPaymentSource } from "@/lib/charges/schema";
import { type Context, now } from "@/lib/context";
import { DomainError, invalid } from "@/lib/errors";
import { CARD_METHODS, type NewPaymentMethod, type PaymentType, WALLET_METHODS } from "@/lib/payments/methods";

const BOLETO_DAYS = 7;
/** Above this a boleto's barcode has no room (spec/brazil.md section 2). */
const LARGEST_BOLETO = 9_999_999_999;
const LOCAL_ONLY: readonly PaymentType[] = ["pix", "boleto"];
const NEEDS_WALLET: readonly PaymentType[] = ["apple_pay", "click_to_pay"];

export interface MethodOfCharge {
  paymentType: PaymentType;
  isCard: boolean;
  installments: number;
  capture: boolean;
  /** Members kept with the charge, without the type. */
  stored: Record<string, unknown>;
}

/** What method, source and amount must be to each other, before anything is looked up. */
export function checkMethod(
  ctx: Context,
  { paymentMethod, paymentSource, currency, amount, capture }: NewCharge,
): MethodOfCharge {
  const { paymentType, ...members } = paymentMethod;
  const isCard = CARD_METHODS.includes(paymentType);
  if (LOCAL_ONLY.includes(paymentType) && currency !== "BRL") {
    throw new DomainError("currency_not_supported", `${paymentType} takes BRL only`);
  }
  checkSource(paymentType, isCard, paymentSource);
  if (paymentType === "boleto" && amount > LARGEST_BOLETO) throw invalid("amount: does not fit on a boleto");
  return {
    paymentType,
    isCard,
    installments: installmentsOf(paymentMethod),
    capture: paymentType === "voucher" || (isCard ? capture : true),
    stored: defined({ ...members, ...dueDate(ctx, paymentMethod) }),
  };
}

const installmentsOf = (method: NewPaymentMethod): number =>
  method.paymentType === "credit" || method.paymentType === "apple_pay" || method.paymentType === "click_to_pay"
    ? method.installments
    : 1;

function checkSource(paymentType: PaymentType, isCard: boolean, source: NewPaymentSource): void {
  const { sourceType } = source;
  const isFit = isCard
    ? sourceType === "card" || sourceType === "token" || (sourceType === "customer" && source.customerId !== undefined)
    : NEEDS_WALLET.includes(paymentType)
      ? sourceType === "wallet"
      : sourceType === "customer";
  if (!isFit) throw invalid(`paymentSource: ${paymentType} cannot be paid from this source`);
  if (WALLET_METHODS.includes(paymentType) && sourceType === "wallet") {
    const member = paymentType === "apple_pay" ? source.paymentData : source.walletClickToPay;
    if (!member)
      throw invalid(`paymentSource.${paymentType === "apple_pay" ? "paymentData" : "walletClickToPay"}: required`);
  }
}

function dueDate(ctx: Context, method: NewPaymentMethod): { expiresDate?: string } {
  if (method.paymentType !== "boleto") return {};
  const today = saoPauloDay(now(ctx));
  const expiresDate = method.expiresDate ?? addDays(today, BOLETO_DAYS);
  if (expiresDate < today) throw invalid("paymentMethod.expiresDate: must not be in the past");
  return { expiresDate };
}

const defined = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
