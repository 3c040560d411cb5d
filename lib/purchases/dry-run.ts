import { and, eq } from "drizzle-orm";
import { sessions } from "@/db/schema/sessions";
import { bookedBy, intentOf, plannedOutcome } from "@/lib/charges/outcome";
import type { Charge } from "@/lib/charges/queries";
import { sidesOf } from "@/lib/charges/sides";
import type { Context } from "@/lib/context";
import { attemptRow } from "@/lib/payments/attempts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { holdToPlan } from "@/lib/plans/hash";
import { rolledBack } from "@/lib/plans/rolled-back";
import { NOTHING, type PlanBody } from "@/lib/plans/schema";
import type { AcceptedPurchase } from "@/lib/purchases/answer";
import { acceptOnce, createPurchase } from "@/lib/purchases/create";
import { intendAuthorization } from "@/lib/purchases/intents";
import { toldOfEnd } from "@/lib/purchases/plan-change";
import type { PaymentRow, PurchaseRow } from "@/lib/purchases/queries";
import type { NewPurchase } from "@/lib/purchases/schema";
import { PlaceTaken } from "@/lib/purchases/session-place";

/**
 * What a purchase would do if every card were approved; nothing of it stays. A code of its session's own that still
 * waits is closed by the real call first: here its place alone is free.
 */
export async function planPurchase(ctx: Context, input: NewPurchase): Promise<PlanBody> {
  const planBy = (accepting: (inside: Context) => Promise<AcceptedPurchase>): Promise<PlanBody> =>
    rolledBack(ctx, async (inside) => planOfPurchase(inside, await accepting(inside)));
  try {
    return await planBy((inside) => acceptOnce(inside, input));
  } catch (thrown) {
    if (!(thrown instanceof PlaceTaken)) throw thrown;
    return planBy(async (inside) => {
      await inside.db
        .update(sessions)
        .set({ pendingCount: 0 })
        .where(and(eq(sessions.clientId, inside.account.id), eq(sessions.id, thrown.sessionId)));
      return acceptOnce(inside, input, true);
    });
  }
}

/** `createPurchase` for whoever calls the API: a call that names a plan does what that says, or nothing. */
export const createPlanned = (ctx: Context, input: NewPurchase): Promise<AcceptedPurchase> =>
  createPurchase(
    ctx,
    input,
    {},
    {
      once: (inside, accepted) => holdToPlan(inside, (planning) => planOfPurchase(planning, accepted)),
      beforeRoom: (outside) => holdToPlan(outside, (planning) => planPurchase(planning, input)),
    },
  );

interface Held {
  slot: PaymentRow;
  charge: Charge;
  provider: RoutedProvider;
}

/** The plan of what was just accepted; the cards' charges that it looks at are taken back. */
export const planOfPurchase = (ctx: Context, accepted: AcceptedPurchase): Promise<PlanBody> =>
  rolledBack(ctx, (inside) => planned(inside, accepted));

async function planned(ctx: Context, { purchase, operation }: AcceptedPurchase): Promise<PlanBody> {
  const plan: PlanBody = { ...NOTHING, events: ["purchase.pending"] };
  const held: Held[] = [];
  for (const slot of purchase.payments) {
    const task = await intendAuthorization(ctx, { purchase, operation }, slot);
    if ("refused" in task) {
      plan.slots = [...plan.slots, { ...shown(slot), providers: [], refusal: task.refused }];
      return released(ctx, purchase.row, plan, held);
    }
    const { charge, attempt, provider } = task;
    const { flow, providers } = await sidesOf(ctx, charge, provider);
    plan.slots = [...plan.slots, { ...shown(slot), providers: providers.map(({ id }) => id), refusal: null }];
    plan.flow = plan.flow?.isDrawn ? plan.flow : flow;
    plan.providers = distinct([...plan.providers, ...providers.map(({ id, kind }) => ({ id, type: kind }))]);
    const outcome = await plannedOutcome(ctx, charge, attempt, provider);
    add(plan, outcome.charge, outcome);
    held.push({ slot, charge: outcome.charge, provider });
  }
  plan.status = "pending";
  if (!purchase.row.capture) return plan;
  for (const one of held) await changed(ctx, plan, one, "capture", "capture_pending");
  return ended(ctx, plan, purchase.row, "paid");
}

async function ended(ctx: Context, plan: PlanBody, row: PurchaseRow, status: "paid" | "failed"): Promise<PlanBody> {
  return { ...plan, status, events: [...plan.events, `purchase.${status}`, ...(await toldOfEnd(ctx, row, status))] };
}

/** What is held by then is let go. */
async function released(ctx: Context, row: PurchaseRow, plan: PlanBody, held: readonly Held[]): Promise<PlanBody> {
  for (const one of held) await changed(ctx, plan, one, "void", "refund_pending");
  return ended(ctx, plan, row, "failed");
}

async function changed(
  ctx: Context,
  plan: PlanBody,
  { charge, provider }: Held,
  call: "capture" | "void",
  event: string,
): Promise<void> {
  const { row } = charge;
  const open: Charge = {
    ...charge,
    row: {
      ...row,
      operation: call,
      operationAmount: row.amount,
      operationBy: "purchase",
      operationFrom: row.status,
    },
  };
  const outcome = await plannedOutcome(
    ctx,
    open,
    attemptRow(ctx, intentOf(open, call, row.amount, provider), 1),
    provider,
  );
  plan.events = [...plan.events, `transaction.${event}`];
  add(plan, outcome.charge, outcome);
}

function add(
  plan: PlanBody,
  charge: Charge,
  { events, told, drafts }: Awaited<ReturnType<typeof plannedOutcome>>,
): void {
  const { shares, fees, journals } = bookedBy(charge.splits, drafts);
  plan.shares = [...plan.shares, ...shares];
  plan.fees = [...plan.fees, ...fees];
  plan.journals = [...plan.journals, ...journals];
  plan.events = [...plan.events, ...events.map((event) => `transaction.${event}`), ...told];
}

const shown = ({ slotIndex, amount }: PaymentRow) => ({ slotIndex, amount });

const distinct = (providers: PlanBody["providers"]): PlanBody["providers"] => [
  ...new Map(providers.map((one) => [one.id, one])).values(),
];
