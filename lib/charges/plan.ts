import { beginChange, captureIntent, voidIntent } from "@/lib/charges/change";
import { acceptCharge } from "@/lib/charges/create";
import { planOf } from "@/lib/charges/outcome";
import type { NewCharge, VoidInput } from "@/lib/charges/schema";
import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { rolledBack } from "@/lib/plans/rolled-back";
import type { PlanBody } from "@/lib/plans/schema";

/** What a call would do, by its very acceptance and decisions, in a transaction that is rolled back. */
export const planCharge = (ctx: Context, input: NewCharge): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) => planOf(inside, await acceptCharge(inside, newId(), input, undefined)));

export const planCapture = (ctx: Context, id: string, input: { amount?: number | undefined }): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) =>
    planOf(inside, await beginChange(inside, id, "capture", captureIntent(inside, input))),
  );

export const planVoid = (ctx: Context, id: string, input: VoidInput): Promise<PlanBody> =>
  rolledBack(ctx, async (inside) => planOf(inside, await beginChange(inside, id, "void", voidIntent(inside, input))));
