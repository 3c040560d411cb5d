import { beginModification } from "@/lib/charges/change";
import { driveCharge } from "@/lib/charges/engine/driver";
import { ChargeBusy } from "@/lib/charges/engine/lease";
import { reconcileCharge } from "@/lib/charges/engine/settle";
import { type ChargeRow, lockCharge, withParts } from "@/lib/charges/queries";
import { type Context, inTransaction } from "@/lib/context";
import { DomainError } from "@/lib/errors";

const OFFERED: readonly string[] = ["pix", "boleto", "nupay", "drip", "picpay", "apple_pay", "click_to_pay"];

/**
 * Closes an unpaid Pix, boleto or wallet payment at its provider, or releases a hold, and answers what then became of
 * the charge. One that is being changed, or whose outcome is not known, is left as it is.
 */
export async function closePayment(ctx: Context, chargeId: string): Promise<ChargeRow> {
  const { idempotency: _key, scenario: _scenario, ...plain } = ctx;
  const begun = await inTransaction(plain, async (inside) => {
    const row = await lockCharge(inside, chargeId);
    const isOffer = row.status === "pending" && OFFERED.includes(row.paymentType);
    const isFree = row.operation === null && row.reviewReason === null && row.providerId !== null;
    if (!isFree || !(isOffer || row.status === "pre_authorized")) return { row };
    const charge = await withParts(inside, row);
    const kind = isOffer ? ("cancel_open" as const) : ("void" as const);
    return beginModification(inside, charge, { operation: "void", kind, amount: row.amount }, "system").catch(
      busy(row),
    );
  });
  if ("row" in begun) return begun.row;
  try {
    const { row } = await driveCharge(plain, { do: "send", ...begun });
    // Still open though nothing runs: most likely it was paid in the meantime, and the provider knows.
    if (row.status === "pending" && row.operation === null) await reconcileCharge(plain, chargeId);
    return row;
  } catch (thrown) {
    if (thrown instanceof ChargeBusy) return begun.charge.row;
    throw thrown;
  }
}

/** Somebody else drives the charge at this moment. */
const busy =
  (row: ChargeRow) =>
  (thrown: unknown): { row: ChargeRow } => {
    if (thrown instanceof DomainError && thrown.businessCode === "charge_operation_in_progress") return { row };
    throw thrown;
  };
