import { beginChange, captureIntent, voidIntent } from "@/lib/charges/change";
import { acceptCharge } from "@/lib/charges/create";
import { approved } from "@/lib/charges/engine/authorize";
import { done as captureDone } from "@/lib/charges/engine/capture";
import { captured } from "@/lib/charges/engine/captured";
import { type Decision, decision, type Situation } from "@/lib/charges/engine/decision";
import { closed } from "@/lib/charges/engine/pending-payment";
import { done as refundDone } from "@/lib/charges/engine/refund";
import { situationOf } from "@/lib/charges/engine/situation";
import { done as voidDone } from "@/lib/charges/engine/void-authorization";
import { chargeMachine } from "@/lib/charges/machine";
import type { Charge } from "@/lib/charges/queries";
import type { NewCharge, VoidInput } from "@/lib/charges/schema";
import { type Context, inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { type AttemptRow, attemptRow } from "@/lib/payments/attempts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { type Draft, readDrafts } from "@/lib/receivables/book";
import type { Movement } from "@/lib/receivables/movements";

/** What a call would do, if the provider tried first approved all of it. */
export interface ChargePlan {
  /** As it would be then. */
  charge: Charge;
  /** In the order they would be tried. */
  providers: readonly RoutedProvider[];
  /** Asked about fraud before the money is taken; the plan goes on as if it approved. */
  analyst: RoutedProvider | undefined;
  /** Of `transaction`, in order. */
  events: readonly string[];
  drafts: readonly Draft[];
}

/** By the very acceptance and decisions of the real call, in a transaction that is rolled back. */
export const planCharge = (ctx: Context, input: NewCharge): Promise<ChargePlan> =>
  rolledBack(ctx, async (inside) => {
    const { charge, attempt, provider } = await acceptCharge(inside, newId(), input, undefined);
    const first = attempt ?? attemptRow(inside, intentOf(charge, "authorize", charge.row.amount, provider), 1);
    return outcomeOf(inside, charge, first, provider, charge.providers ?? [provider]);
  });

export const planCapture = (ctx: Context, id: string, input: { amount?: number | undefined }): Promise<ChargePlan> =>
  rolledBack(ctx, async (inside) => {
    const { charge, attempt, provider } = await beginChange(inside, id, "capture", captureIntent(inside, input));
    return outcomeOf(inside, charge, attempt, provider, [provider]);
  });

export const planVoid = (ctx: Context, id: string, input: VoidInput): Promise<ChargePlan> =>
  rolledBack(ctx, async (inside) => {
    const { charge, attempt, provider } = await beginChange(inside, id, "void", voidIntent(inside, input));
    return outcomeOf(inside, charge, attempt, provider, [provider]);
  });

async function outcomeOf(
  ctx: Context,
  accepted: Charge,
  first: AttemptRow,
  provider: RoutedProvider,
  providers: readonly RoutedProvider[],
): Promise<ChargePlan> {
  const { analyst } = accepted;
  // What the analyst would say is not known: the plan is that of an approval.
  let charge: Charge = { ...accepted, analyst: undefined };
  let attempt: AttemptRow | undefined = first;
  const events: string[] = [];
  const movements: Movement[] = [];
  while (attempt) {
    const decided: Decision = approvedOf(situationOf(ctx, charge, attempt, undefined));
    events.push(...decided.events);
    movements.push(...decided.journals);
    charge = moved(charge, decided);
    const { next } = decided;
    attempt =
      next.do === "attempt" ? attemptRow(ctx, intentOf(charge, next.kind, next.amount, provider), 1) : undefined;
  }
  return { charge, providers, analyst, events, drafts: await readDrafts(ctx, movements) };
}

const PROVIDERS_OWN = "";

/** What the engine decides when the provider says yes to an attempt. */
function approvedOf(situation: Situation): Decision {
  const { charge, attempt } = situation;
  switch (attempt.kind) {
    case "authorize":
      return approved(situation, { providerTxId: PROVIDERS_OWN, cvvChecked: false, captured: false, attempt: {} });
    case "capture":
      return captureDone(situation, attempt.amount, {});
    case "void":
      return charge.row.operation === "refund" ? refundDone(situation, {}) : voidDone(situation, {});
    case "refund":
      return refundDone(situation, {});
    case "cancel_open":
      return closed(situation, {});
    default:
      // Offered to the buyer, then paid.
      return decision({
        events: ["pending", "authorized"],
        journals: [captured(charge, attempt.providerType, attempt.id, attempt.amount)],
        fact: "payment.received",
        charge: { capturedAmount: attempt.amount },
      });
  }
}

const moved = (charge: Charge, { fact, charge: changes }: Decision): Charge => {
  const { row } = charge;
  const status = fact && chargeMachine.can(row.status, fact) ? chargeMachine.next(row.status, fact) : row.status;
  // Guarantee: a decision changes columns of the charge to values of theirs.
  return { ...charge, row: { ...row, ...(changes as Partial<typeof row>), status } };
};

const intentOf = (
  { row }: Charge,
  kind: "authorize" | "capture" | "void" | "refund",
  amount: number,
  provider: RoutedProvider,
) => ({ chargeId: row.id, kind, amount, provider });

/** Nothing of it stays, in the database or beside it: what a rollback would leave behind is undone as for a refusal. */
async function rolledBack<T>(ctx: Context, run: (ctx: Context) => Promise<T>): Promise<T> {
  const rollback = new Error("a plan is not carried out");
  let value: { of: T } | undefined;
  try {
    await inTransaction(ctx, async (inside) => {
      value = { of: await run(inside) };
      throw rollback;
    });
  } catch (thrown) {
    if (thrown !== rollback) throw thrown;
  }
  if (!value) throw new Error("a transaction that ends without its work");
  return value.of;
}
