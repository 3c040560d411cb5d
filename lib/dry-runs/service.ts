import { createHash } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "@/lib/canonical-json";
import { type ChargePlan, planCapture, planCharge, planVoid } from "@/lib/charges/plan";
import { captureInput, newCharge, voidInput } from "@/lib/charges/schema";
import { type Context, now } from "@/lib/context";
import type { DryRunOperation, NewDryRun, PlanBody } from "@/lib/dry-runs/schema";
import { DomainError, RequestError } from "@/lib/errors";
import { errorAnswer } from "@/lib/http/errors";
import type { AccountName } from "@/lib/ledger/accounts";

export interface DryRun {
  plan: PlanBody;
  planHash: string;
  asOf: Date;
}

const NOT_FOUND = 404;

/** What the call would do now; what it would refuse with is part of the plan. An unknown charge is none. */
export async function dryRun(ctx: Context, asked: NewDryRun): Promise<DryRun> {
  const plan = await planned(ctx, asked).catch((thrown: unknown): PlanBody => {
    const isRefusal = thrown instanceof DomainError || thrown instanceof RequestError || thrown instanceof z.ZodError;
    if (!isRefusal || (thrown instanceof RequestError && thrown.status === NOT_FOUND)) throw thrown;
    return { ...NOTHING, errors: [errorAnswer(thrown, "standard").body.error] };
  });
  return { plan, planHash: createHash("sha256").update(canonicalJson(plan)).digest("hex"), asOf: now(ctx) };
}

const NOTHING: PlanBody = {
  providers: [],
  analyst: null,
  status: null,
  shares: [],
  fees: [],
  journals: [],
  events: [],
  errors: [],
};

const PLANS: Record<DryRunOperation, (ctx: Context, asked: NewDryRun) => Promise<ChargePlan>> = {
  charge: (ctx, { body }) => planCharge(ctx, newCharge.parse(body)),
  split: (ctx, { body }) => planCharge(ctx, newCharge.parse(body)),
  capture: (ctx, { body, id = "" }) => planCapture(ctx, id, captureInput.parse(body)),
  void: (ctx, { body, id = "" }) => planVoid(ctx, id, voidInput.parse(body)),
};

async function planned(ctx: Context, asked: NewDryRun): Promise<PlanBody> {
  const { charge, providers, analyst, events, drafts } = await PLANS[asked.operation](ctx, asked);
  const received = drafts.flatMap(({ receivables = [] }) => receivables);
  return {
    providers: providers.map(({ id, kind }) => ({ id, type: kind })),
    analyst: analyst?.id ?? null,
    status: charge.row.status,
    shares: received.map(({ sellerId, installment, gross, paymentDate }) => ({
      sellerId,
      installment,
      amount: gross,
      date: paymentDate,
    })),
    fees: feesOf(charge.splits, received),
    journals: drafts
      .filter(({ transfers }) => transfers.length > 0)
      .map(({ type, currency, transfers }) => ({
        type,
        currency,
        transfers: transfers.map(({ debit, credit, amount }) => ({ debit: said(debit), credit: said(credit), amount })),
      })),
    events: events.map((event) => `transaction.${event}`),
    errors: [],
  };
}

function feesOf(
  splits: ChargePlan["charge"]["splits"],
  received: readonly { sellerId: string | null; fee: number }[],
): PlanBody["fees"] {
  const sums = new Map<string | null, number>();
  for (const { sellerId, fee } of received) sums.set(sellerId, (sums.get(sellerId) ?? 0) + fee);
  return [...sums]
    .filter(([, amount]) => amount !== 0)
    .map(([sellerId, amount]) => ({
      sellerId,
      amount,
      rateId: splits.find((split) => split.sellerId === sellerId)?.rateId ?? null,
    }));
}

/** `seller_pending:<seller>`; an account that is one of a kind by its kind. */
const said = (account: AccountName): string =>
  [
    account.kind,
    "sellerId" in account ? account.sellerId : undefined,
    "arrangement" in account ? account.arrangement : undefined,
  ]
    .filter(Boolean)
    .join(":");
