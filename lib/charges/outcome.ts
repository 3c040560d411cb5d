import { cards } from "@/db/schema/customers";
import { findRows } from "@/db/statements";
import { writeTogether } from "@/db/writes";
import { approved } from "@/lib/charges/engine/authorize";
import { done as captureDone } from "@/lib/charges/engine/capture";
import { capturedEvidence } from "@/lib/charges/engine/captured";
import { type Decision, decision, type Situation } from "@/lib/charges/engine/decision";
import { closed } from "@/lib/charges/engine/pending-payment";
import { done as refundDone } from "@/lib/charges/engine/refund";
import { situationOf } from "@/lib/charges/engine/situation";
import { done as voidDone } from "@/lib/charges/engine/void-authorization";
import { chargeMachine } from "@/lib/charges/machine";
import { placeOfCharge } from "@/lib/charges/place";
import type { Charge } from "@/lib/charges/queries";
import { type Sides, sidesOf } from "@/lib/charges/sides";
import type { Context } from "@/lib/context";
import { type AttemptRow, attemptRow } from "@/lib/payments/attempts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import { journalsOf } from "@/lib/plans/journals";
import { NOTHING, type PlanBody } from "@/lib/plans/schema";
import { bookings, type Draft, readDrafts } from "@/lib/receivables/book";
import type { Movement } from "@/lib/receivables/movements";
import { toldOfSession } from "@/lib/sessions/told";

/** What becomes of a charge if the provider tried first approves all that is asked of it. */
export interface PlannedOutcome {
  /** As it would be then. */
  charge: Charge;
  /** Of `transaction`, in order. */
  events: readonly string[];
  /** Of other things, with what they are of. */
  told: readonly string[];
  drafts: readonly Draft[];
}

/** What was accepted, with or without its first attempt. */
interface AcceptedCall {
  charge: Charge;
  attempt: AttemptRow | undefined;
  provider: RoutedProvider;
}

/** The plan of what was just accepted in this transaction. */
export async function chargePlanOf(ctx: Context, { charge, attempt, provider }: AcceptedCall): Promise<PlanBody> {
  const first = attempt ?? attemptRow(ctx, intentOf(charge, "authorize", charge.row.amount, provider), 1);
  const isNew =
    first.kind !== "capture" && first.kind !== "void" && first.kind !== "refund" && first.kind !== "cancel_open";
  const sides: Sides = isNew ? await sidesOf(ctx, charge, provider) : { flow: null, providers: [provider] };
  const outcome = await plannedOutcome(ctx, charge, first, provider);
  return {
    ...NOTHING,
    providers: sides.providers.map(({ id, kind }) => ({ id, type: kind })),
    flow: sides.flow,
    analyst: charge.analyst?.id ?? null,
    status: outcome.charge.row.status,
    ...bookedBy(outcome.charge.splits, outcome.drafts),
    events: [
      ...outcome.events.map((event) => `transaction.${event}`),
      ...outcome.told,
      ...(await toldOfSession(ctx, charge.row.sessionId, placeOfCharge(charge.row), placeOfCharge(outcome.charge.row))),
    ],
  };
}

/** Who receives what when, what it costs whom, and the journals that say so. */
export function bookedBy(
  splits: Charge["splits"],
  drafts: readonly Draft[],
): Pick<PlanBody, "shares" | "fees" | "journals"> {
  const received = drafts.flatMap(({ receivables = [] }) => receivables);
  return {
    shares: received.map(({ sellerId, installment, gross, paymentDate }) => ({
      sellerId,
      installment,
      amount: gross,
      date: paymentDate,
    })),
    fees: feesOf(splits, received),
    journals: journalsOf(drafts),
  };
}

function feesOf(
  splits: Charge["splits"],
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

/** For a plan of several charges, in the transaction that is rolled back: each is planned by what the others leave. */
export async function postPlanned(ctx: Context, { drafts }: PlannedOutcome): Promise<void> {
  const writes = bookings(ctx, drafts);
  if (writes.length > 0) await writeTogether(ctx.db, writes);
}

export async function plannedOutcome(
  ctx: Context,
  accepted: Charge,
  first: AttemptRow,
  provider: RoutedProvider,
): Promise<PlannedOutcome> {
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
  const drafts = await readDrafts(ctx, movements);
  // A capture prices them.
  const kept = new Map(drafts.flatMap(({ shares = [] }) => shares.map((share) => [share.id, share] as const)));
  const splits = charge.splits.map((split) => ({ ...split, ...kept.get(split.id) }));
  return { charge: { ...charge, splits }, events, told: await toldOfCard(ctx, charge, first), drafts };
}

/** A saved card that was never used is known to work after its first approval. */
async function toldOfCard({ db, account }: Context, { row }: Charge, { kind }: AttemptRow): Promise<string[]> {
  if (kind !== "authorize" || row.cardId === null) return [];
  const [pending] = await findRows(db, cards, { clientId: account.id, id: row.cardId, status: "pending" });
  return pending ? ["card.active"] : [];
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
        journals: [capturedEvidence(charge, attempt.providerType, attempt.id, attempt.amount)],
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

export const intentOf = (
  { row }: Charge,
  kind: "authorize" | "capture" | "void" | "refund",
  amount: number,
  provider: RoutedProvider,
) => ({ chargeId: row.id, kind, amount, provider });
