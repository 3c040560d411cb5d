import { audit } from "@/lib/audit";
import { HANDED_BACK } from "@/lib/charges/by-people";
import type { StillSo } from "@/lib/charges/change";
import { applyReconciliation } from "@/lib/charges/engine/apply";
import { evidenceAt } from "@/lib/charges/engine/reconciliation";
import { WENT_BACK } from "@/lib/charges/engine/surplus";
import { withChargeLease } from "@/lib/charges/engine/with-lease";
import { stillHere } from "@/lib/charges/extra-payments";
import { type Context, inTransaction } from "@/lib/context";
import { DomainError } from "@/lib/errors";
import { givenBackMovement } from "@/lib/receivables/movements";

/**
 * A person says that the buyer has it back, by means that no provider tells of: the books let it go, and it is tried no
 * more. `payment` is the one that was shown; of two forms for the same one, the second finds it gone.
 */
export const handBack = (ctx: Context, chargeId: string, payment: string, isStill?: StillSo): Promise<void> =>
  withChargeLease(ctx, chargeId, async (charge) => {
    const extra = stillHere(charge);
    if (extra?.payment !== payment || charge.row.operation !== null)
      throw new DomainError("invalid_status_transition", "this payment is not kept apart any more");
    const { amount } = extra;
    const evidence = `${HANDED_BACK}:${payment}`;
    await inTransaction(ctx, async (inside) => {
      await isStill?.(inside);
      await applyReconciliation(inside, charge, {
        charge: {},
        events: [WENT_BACK],
        jobs: [],
        sendBack: [],
        journals: [givenBackMovement(charge, evidenceAt(charge, evidence), amount)],
        history: [{ requestType: "void", amount, evidence, reason: HANDED_BACK, details: { surplus: payment } }],
      });
      await audit(inside, { action: "charge.hand_back", object: "charge", objectId: chargeId, after: { amount } });
    });
  });
