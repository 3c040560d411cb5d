import { beginChange, captureIntent, voidIntent } from "@/lib/charges/change";
import { acceptCharge } from "@/lib/charges/create";
import { chargePlanOf } from "@/lib/charges/outcome";
import type { NewCharge, VoidChargeInput } from "@/lib/charges/schema";
import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { rolledBack } from "@/lib/plans/rolled-back";
import type { PlanBody } from "@/lib/plans/schema";

/** What a call would do, by its very acceptance and decisions, in a transaction that is rolled back. */
export const planCharge = (ctx: Context, input: NewCharge): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) => chargePlanOf(inside, await acceptCharge(inside, newId(), input, undefined)));

export const planCapture = (ctx: Context, id: string, input: { amount?: number | undefined }): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) =>
    chargePlanOf(inside, await beginChange(inside, id, "capture", captureIntent(inside, input))),
  );

export const planVoid = (ctx: Context, id: string, input: VoidChargeInput): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) =>
    chargePlanOf(inside, await beginChange(inside, id, "void", voidIntent(inside, input))),
  );
