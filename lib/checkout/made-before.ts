import { brandOf, brandOfName } from "@/lib/brazil/card-brand";
import { findCardOrGone } from "@/lib/cards/queries";
import { getCharge } from "@/lib/charges/queries";
import type { CheckoutAttemptRow } from "@/lib/checkout/checkout-attempts";
import type { TypedForm } from "@/lib/checkout/form";
import { type Context, inTransaction } from "@/lib/context";

/** Whether a form names another card than the one that its key has paid with, in another tab of the same visit. */
export async function isByOtherCard(
  ctx: Context,
  { chargeId }: Pick<CheckoutAttemptRow, "chargeId">,
  form: TypedForm,
): Promise<boolean> {
  const saved = form.get("savedCard") ?? "";
  const typed = (form.get("cardNumber") ?? "").replace(/\D/g, "");
  if (chargeId === null || (saved === "" && typed === "")) return false;
  return inTransaction(ctx, async (inside) => {
    const { cardId } = (await getCharge(inside, chargeId)).row;
    if (cardId === null) return false;
    if (saved !== "") return saved !== cardId;
    const card = await findCardOrGone(inside, cardId);
    return card !== undefined && (!typed.endsWith(card.last4digits) || brandOfName(card.brand) !== brandOf(typed));
  });
}
