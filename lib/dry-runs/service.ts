import { z } from "zod";
import { planCapture, planCharge } from "@/lib/charges/plan";
import { captureChargeInput, newCharge, voidChargeInput } from "@/lib/charges/schema";
import { type Context, now } from "@/lib/context";
import { type DryRunOperation, type NewDryRun, payoutPlanInput } from "@/lib/dry-runs/schema";
import { DomainError, RequestError } from "@/lib/errors";
import { type Envelope, errorAnswer } from "@/lib/http/errors";
import { planPayout } from "@/lib/payouts/plan";
import { planHashOf } from "@/lib/plans/hash";
import { NOTHING, type PlanBody } from "@/lib/plans/schema";
import { planPrepayment } from "@/lib/prepayments/plan";
import { newPrepayment } from "@/lib/prepayments/schema";
import { planPurchase } from "@/lib/purchases/dry-run";
import { planAnyVoid } from "@/lib/purchases/refund-part";
import { newPurchase } from "@/lib/purchases/schema";
import { planSessionCharge } from "@/lib/session-payments/pay";
import { newSessionCharge } from "@/lib/session-payments/schema";

export interface DryRun {
  plan: PlanBody;
  planHash: string;
  asOf: Date;
}

const NOT_FOUND = 404;

/** What the call would do now; what it would refuse with is part of the plan. An unknown charge is none. */
export async function dryRun(ctx: Context, asked: NewDryRun): Promise<DryRun> {
  const { plan, ...words } = OPERATIONS[asked.operation];
  return planned(ctx, () => plan(ctx, asked), words);
}

/** The plan as `make` finds it; its refusal is a plan too, in the words of the call. */
export async function planned(
  ctx: Context,
  make: () => Promise<PlanBody>,
  { envelope = "standard", errorKeys }: Omit<Operation, "plan"> = {},
): Promise<DryRun> {
  const plan = await make().catch((thrown: unknown): PlanBody => {
    const isRefusal = thrown instanceof DomainError || thrown instanceof RequestError || thrown instanceof z.ZodError;
    if (!isRefusal || (thrown instanceof RequestError && thrown.status === NOT_FOUND)) throw thrown;
    return { ...NOTHING, errors: [errorAnswer(thrown, envelope, errorKeys).body.error] };
  });
  return { plan, planHash: planHashOf(plan), asOf: now(ctx) };
}

interface Operation {
  plan(ctx: Context, asked: NewDryRun): Promise<PlanBody>;
  /** As the real call words its refusals. */
  envelope?: Envelope;
  errorKeys?: string;
}

const planPayment: Operation["plan"] = async (ctx, { body, id }) =>
  id === undefined ? planCharge(ctx, newCharge.parse(body)) : planSessionCharge(ctx, id, newSessionCharge.parse(body));

/** Async, so that a body that does not fit is a refusal like any other. */
const OPERATIONS: Record<DryRunOperation, Operation> = {
  charge: { plan: planPayment },
  split: { plan: planPayment },
  capture: { plan: async (ctx, { body, id = "" }) => planCapture(ctx, id, captureChargeInput.parse(body)) },
  void: { plan: async (ctx, { body, id = "" }) => planAnyVoid(ctx, id, voidChargeInput.parse(body)) },
  purchase: { plan: async (ctx, { body }) => planPurchase(ctx, newPurchase.parse(body)), envelope: "purchases" },
  prepayment: { plan: async (ctx, { body }) => planPrepayment(ctx, newPrepayment.parse(body)), errorKeys: "I" },
  payout: { plan: async (ctx, { body }) => planPayout(ctx, payoutPlanInput.parse(body)) },
};
