import { eq } from "drizzle-orm";
import { merchants } from "@/db/schema/merchants";
import { credentialOf } from "@/lib/charges/engine/card-credential";
import { type CardMaterial, cardSecret, payerOf } from "@/lib/charges/engine/card-material";
import { surplusOf } from "@/lib/charges/engine/surplus";
import { chosenParts } from "@/lib/charges/parts";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { env } from "@/lib/env";
import { sumOf } from "@/lib/money";
import type { AttemptRow } from "@/lib/payments/attempts";
import { type NewPaymentMethod, newPaymentMethod } from "@/lib/payments/methods";
import { isSaleOnly } from "@/lib/providers/capabilities";
import type {
  AuthorizeInput,
  BoletoCharge,
  BoletoInput,
  CaptureInput,
  PixInput,
  PixInstruction,
  RefundInput,
  SplitLine,
  VoidInput,
  WalletInput,
} from "@/lib/providers/provider";
import { OWN_RECIPIENT } from "@/lib/providers/recipients";
import { providerFor } from "@/lib/providers/registry";
import { paymentLinkOf } from "@/lib/sessions/serializer";
import { recipientIdsAt } from "@/lib/splits/parties";
import { recipientIdOf, splitLines } from "@/lib/splits/shares";
import { termUrlOf } from "@/lib/three-ds/ticket";

/** Everything a provider is told of one attempt. */
export type ProviderRequest =
  | { operation: "authorize"; input: AuthorizeInput }
  | { operation: "capture"; input: CaptureInput }
  | { operation: "void"; input: VoidInput }
  | { operation: "refund"; input: RefundInput }
  | { operation: "cancel_open"; input: { providerTxId: string } }
  | { operation: "pix"; input: PixInput }
  | { operation: "boleto"; input: BoletoInput }
  | { operation: "wallet"; input: WalletInput };

/**
 * The request of an attempt, made from committed rows alone: a replay says the same bytes as the first send. Only the
 * card's number and CVV come from the vault, the CVV for as long as it is kept there.
 */
export async function requestOf(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  material: CardMaterial,
): Promise<ProviderRequest> {
  const { row } = charge;
  const { amount } = attempt;
  const providerTxId = attempt.transactionId ?? row.providerTxId ?? "";
  switch (attempt.kind) {
    case "authorize": {
      material.card ??= await cardSecret(ctx, charge);
      material.payer ??= await payerOf(ctx, charge);
      const { card, payer: holder } = material;
      const networkTransactionId = await credentialOf(ctx, row, attempt);
      const known = networkTransactionId === undefined ? {} : { networkTransactionId };
      const split = await splitOf(ctx, charge, attempt, amount);
      return { operation: "authorize", input: { ...authorization(charge, attempt), ...known, ...split, card, holder } };
    }
    case "capture":
      return {
        operation: "capture",
        input: { providerTxId, amount, authorized: row.amount, ...(await splitOf(ctx, charge, attempt, amount)) },
      };
    case "void": {
      const state = row.operation === "refund" ? "authorized" : "pre_authorized";
      return { operation: "void", input: { providerTxId, state, amount: row.amount } };
    }
    case "refund": {
      const paymentId = surplusOf(attempt);
      const input = paymentId
        ? { amount, captured: amount, alreadyRefunded: 0, paymentId }
        : { amount, captured: row.capturedAmount, alreadyRefunded: row.refundedAmount };
      const split = paymentId ? {} : await partsOf(ctx, charge, attempt);
      return { operation: "refund", input: { providerTxId, ...input, ...split } };
    }
    case "cancel_open":
      return { operation: "cancel_open", input: { providerTxId } };
    case "pix":
    case "boleto":
    case "wallet":
      material.payer ??= await payerOf(ctx, charge);
      return openPayment(ctx, row, material.payer, await splitOf(ctx, charge, attempt, amount));
    default:
      throw new Error(`an attempt of kind ${attempt.kind} is not sent for a charge`);
  }
}

function authorization(charge: Charge, attempt: AttemptRow): Omit<AuthorizeInput, "card" | "holder"> {
  const { row } = charge;
  const { recurrence } = row.paymentMethod;
  // Guarantee: the request schema lets nothing else into these columns.
  const method = row.paymentType as "credit" | "debit" | "voucher";
  const { capabilities } = providerFor(attempt.providerType);
  return {
    amount: attempt.amount,
    currency: "BRL",
    capture: row.capture && row.purchaseId === null && isSaleOnly(capabilities, method),
    installments: row.installments ?? 1,
    method,
    ...(typeof recurrence === "string" ? { recurrence: recurrence as "initial" | "subsequent" | "unscheduled" } : {}),
    ...(row.statementDescriptor ? { statementDescriptor: row.statementDescriptor } : {}),
    ...(row.threeDSecure2
      ? { threeDS: threeDSOf(row, row.threeDSecure2, termUrlOf(env().BASE_URL, row.id, attempt.id)) }
      : {}),
    ...(attempt.transactionId === null ? {} : { providerTxId: attempt.transactionId }),
    buyerPresent: recurrence === undefined || recurrence === "initial",
    crossBorder: false,
  };
}

/** What the shop sent; the provider's answer to it is kept in the same column. */
function threeDSOf(
  { sessionId }: Pick<ChargeRow, "sessionId">,
  { authData: _answered, ...data }: NonNullable<ChargeRow["threeDSecure2"]>,
  returnUrl: string,
) {
  const link = sessionId && paymentLinkOf(sessionId);
  // Who comes back to our own page of the link pays there.
  const isOurs = link && typeof data.redirectURL === "string" && data.redirectURL.startsWith(`${link}/return?`);
  return {
    returnUrl,
    ...(isOurs ? { deviceUrl: `${link}/device` } : {}),
    requiresLiabilityShift: data.requiresLiabilityShift === true,
    data,
  };
}

interface WithSplit {
  split?: SplitLine[];
}

/** Of what is asked for now: all of the charge, or what a partial capture takes. */
async function splitOf(ctx: Context, charge: Charge, attempt: AttemptRow, part: number): Promise<WithSplit> {
  const { row, splits } = charge;
  if (splits.length === 0) return {};
  const recipientIds = await recipientsAt(ctx, charge, attempt);
  return { split: splitLines(splits, { total: row.originalAmount, part }, recipientIds) };
}

/** Whose parts of a refund go back, where the request said so. */
async function partsOf(ctx: Context, charge: Charge, attempt: AttemptRow): Promise<WithSplit> {
  const rules = chosenParts(attempt);
  if (!rules) return {};
  const recipientIds = await recipientsAt(ctx, charge, attempt);
  const own = attempt.amount - sumOf(rules.map(({ amount }) => amount));
  const parts = [
    ...rules.map((rule) => ({ recipientId: recipientIdOf(rule, recipientIds), amount: rule.amount })),
    { recipientId: OWN_RECIPIENT, amount: own },
  ].filter(({ amount }) => amount > 0);
  return { split: parts.map((part) => ({ ...part, liable: false, processingFee: false, remainderFee: false })) };
}

/** As they were looked up with the payment, where all of them were. */
function recipientsAt(
  ctx: Context,
  { splits, recipients }: Charge,
  { providerId }: AttemptRow,
): Promise<ReadonlyMap<string, string>> | ReadonlyMap<string, string> {
  const known = recipients?.get(providerId ?? "");
  if (known && splits.every(({ sellerId }) => known.has(sellerId))) return known;
  return inTransaction(ctx, (inside) => recipientIdsAt(inside, providerId ?? "", splits));
}

/** What the payer's bank was asked under a mandate. */
export function instructionOf({ paymentMethod: { instruction } }: ChargeRow): { instruction?: PixInstruction } {
  // Guarantee: nobody but the charge's own acceptance writes this member, from one.
  return instruction ? { instruction: instruction as PixInstruction } : {};
}

async function openPayment(
  ctx: Context,
  row: ChargeRow,
  payer: PixInput["payer"],
  split: WithSplit,
): Promise<ProviderRequest> {
  const { amount } = row;
  // Read back through the schema that let it in: what the provider gave since is left out.
  const method = newPaymentMethod.parse({ ...row.paymentMethod, paymentType: row.paymentType });
  switch (method.paymentType) {
    case "pix": {
      const receiver = await receiverOf(ctx, row);
      const { expiresIn: expiresInSec, additionalInfo } = method;
      const more = additionalInfo ? { additionalInfo } : {};
      const input = { amount, payer, receiver, expiresInSec, ...more, ...split, ...instructionOf(row) };
      return { operation: "pix", input };
    }
    case "boleto": {
      const { instructions, fine, interest, expiresDate } = method;
      if (!expiresDate) throw new Error("a boleto without a due date");
      const input = {
        amount,
        payer,
        dueDate: expiresDate,
        ...(instructions ? { instructions } : {}),
        ...(fine ? { fine: onLatePayment(fine) } : {}),
        ...(interest ? { interest: onLatePayment(interest) } : {}),
        ...split,
      };
      return { operation: "boleto", input };
    }
    case "credit":
    case "debit":
    case "voucher":
      throw new Error("a card payment is authorized, not offered");
    default:
      return {
        operation: "wallet",
        input: {
          method: method.paymentType,
          amount,
          payer,
          installments: row.installments ?? 1,
          ...split,
          ...waysBack(method),
        },
      };
  }
}

/** Each wallet has words of its own for where its page sends the buyer. */
function waysBack(method: NewPaymentMethod): Pick<WalletInput, "returnUrl" | "cancelUrl"> {
  if (method.paymentType === "nupay") return given(method.returnUrl, method.cancelUrl);
  if (method.paymentType === "drip") return given(method.successRedirectUrl, method.cancelRedirectUrl);
  return {};
}

const given = (returnUrl: unknown, cancelUrl: unknown) => ({
  ...(typeof returnUrl === "string" ? { returnUrl } : {}),
  ...(typeof cancelUrl === "string" ? { cancelUrl } : {}),
});

const onLatePayment = (given: {
  days: number;
  amount?: number | undefined;
  percentage?: number | undefined;
}): BoletoCharge => ({
  days: given.days,
  ...(given.amount === undefined ? {} : { amount: given.amount }),
  ...(given.percentage === undefined ? {} : { percentage: given.percentage }),
});

async function receiverOf(ctx: Context, row: ChargeRow): Promise<{ name: string; city: string }> {
  const [merchant] = await inTransaction(ctx, ({ db }) =>
    db.select().from(merchants).where(eq(merchants.id, row.merchantId)),
  );
  return { name: merchant?.merchantName ?? merchant?.name ?? "TRILHO", city: "SAO PAULO" };
}
