import type { OnAccount } from "@/app/(dashboard)/operator-context";
import { textOf } from "@/app/(dashboard)/typed-text";
import { isPaymentAction, type PaymentAction } from "@/lib/charges/operator-actions";
import { type Above, actOnPayment, type ChangeRefusal } from "@/lib/charges/operator-service";
import { getCharge } from "@/lib/charges/queries";
import { typedAmount } from "@/lib/charges/typed-amount";
import { type Context, inTransaction } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { reaching } from "@/lib/operators/reach";
import { payBoleto, payPix } from "@/lib/providers/sandbox/api/tools";
import { recheck } from "@/lib/purchases/due";
import { voidAnyCharge } from "@/lib/purchases/refund-part";

export type Outcome =
  | { kind: "not_found" }
  | { kind: "done"; chargeId: string; action: PaymentAction }
  | { kind: "proposed"; chargeId: string; amount: number }
  | { kind: "amount_unreadable"; typed: string; reason: string }
  | {
      kind: "plan_changed";
      chargeId: string;
      action: PaymentAction;
      amount: number | undefined;
      typed: string;
      reason: string;
    }
  | (Exclude<ChangeRefusal, { kind: "plan_changed" }> & { typed: string; reason: string });

/** Of the audit log, in the words of who asks. */
export const LONGEST_REASON = 200;
const TAKES_REASON = new Set<PaymentAction>(["refund", "hand_back"]);
const TAKES_AMOUNT = new Set<PaymentAction>(["capture", "refund"]);

/** A confirmation that was sent, whoever sent it and however: the form is not believed, the rights are asked again. */
export async function actOnForm(
  { ctx: own, role }: Pick<OnAccount, "ctx" | "role">,
  form: FormData,
  locale?: string,
): Promise<Outcome> {
  const text = (name: string): string => textOf(form, name);
  const chargeId = text("id");
  const action = text("action");
  const key = text("key");
  if (!isUuid(chargeId) || !isPaymentAction(action) || !isUuid(key)) return { kind: "not_found" };
  const typed = TAKES_AMOUNT.has(action) ? text("amount") : "";
  const amount = typed === "" ? undefined : typedAmount(typed, locale);
  const reason = TAKES_REASON.has(action) ? text("reason").slice(0, LONGEST_REASON) : "";
  // A field that was emptied is not the word for all of it: where a part can be done, the amount is always said.
  if (TAKES_AMOUNT.has(action) && form.has("amount") && amount === undefined)
    return { kind: "amount_unreadable", typed, reason };
  try {
    const ctx = await reaching(own, "charge", chargeId);
    const asked = {
      key,
      plan: text("plan"),
      planHash: text("planHash") || undefined,
      amount,
      reason: reason || undefined,
    };
    const done = await actOnPayment(ctx, role, chargeId, action, asked, ABOVE);
    if (done.kind === "done") return { kind: "done", chargeId, action };
    if (done.kind === "plan_changed") return { kind: "plan_changed", chargeId, action, amount, typed, reason };
    return done.kind === "proposed" ? { ...done, chargeId } : { ...done, typed, reason };
  } catch (thrown) {
    if (thrown instanceof RequestError && thrown.status === 404) return { kind: "not_found" };
    throw thrown;
  }
}

const ABOVE: Above = { simulate: simulatePayment, look: recheck, giveBack: voidAnyCharge };

async function simulatePayment(ctx: Context, chargeId: string): Promise<void> {
  const { row } = await inTransaction(ctx, (inside) => getCharge(inside, chargeId));
  if (row.paymentType === "boleto") await payBoleto(ctx, chargeId, {});
  else await payPix(ctx, chargeId, {});
}
