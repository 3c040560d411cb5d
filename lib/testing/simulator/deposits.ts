import type { FoundTransaction, Outcome } from "@/lib/providers/provider";
import { DAY_MS, iso, raw, rejected, SECOND_MS } from "@/lib/testing/simulator/answers";
import { type Bank, type Deposit, refundedOf } from "@/lib/testing/simulator/bank";
import type { Mood } from "@/lib/testing/simulator/script";
import type { Draws } from "@/lib/testing/simulator/seeded";
import { clock } from "@/lib/testing/simulator/virtual";

/** What becomes of a deposit by itself or by a change, and how it is found. */
/** Taken back or about to be. */
export const taken = ({ refunds }: Deposit): number =>
  refunds
    .filter(({ status, paymentId }) => status !== "failed" && paymentId === undefined)
    .reduce((sum, { amount }) => sum + amount, 0);

export const refund = (deposit: Deposit, reference: string, amount: number): void => {
  deposit.refunds.push({ id: `${deposit.id}:${reference}`, reference, amount, status: "done", atMs: clock.atMs });
};

/** Of a payment that came on top: as much as came, once. */
export function giveBack(
  deposit: Deposit,
  reference: string,
  amount: number,
  paymentId: string,
): Outcome<never> | undefined {
  const paid = deposit.payments.find(({ id }) => id === paymentId);
  const given = deposit.refunds.filter((one) => one.paymentId === paymentId && one.status !== "failed");
  const left = (paid?.amount ?? 0) - given.reduce((sum, one) => sum + one.amount, 0);
  if (!paid?.isSurplus || amount > left) return rejected("amount_exceeded");
  const id = `${deposit.id}:${reference}`;
  deposit.refunds.push({ id, reference, amount, status: "done", atMs: clock.atMs, paymentId });
  return undefined;
}

/** Most pay in time; some too late, some twice. What is told of it may be lost, and then has to be found by asking. */
export function buyersPay(bank: Bank, deposit: Deposit, draws: Draws): void {
  const openMs = deposit.holdEndsMs - clock.atMs;
  const pay = (atMs: number, tells: boolean) =>
    deposit.later.push({ atMs, tells, does: (one) => bank.pay(one, one.asked) });
  const isTwice = draws.chance(0.08);
  const inTime = (): number => clock.atMs + Math.floor(draws.number() * openMs);
  if (draws.chance(0.65)) pay(inTime(), isTwice || draws.chance(0.7));
  if (isTwice) pay(inTime(), true);
  if (draws.chance(0.07)) pay(deposit.holdEndsMs + draws.between(SECOND_MS, 3_600 * SECOND_MS), true);
}

export function plan(deposit: Deposit, draws: Draws, mood: Mood): void {
  if (!draws.chance(mood.reversal)) return;
  const atMs = clock.atMs + draws.between(SECOND_MS, 2 * DAY_MS);
  const does = (one: Deposit) => {
    if (one.state === "held") one.state = "voided";
  };
  deposit.later.push({ atMs, does, tells: draws.chance(0.8) });
}

export function dispute(bank: Bank, deposit: Deposit, draws: Draws): void {
  const atMs = clock.atMs + draws.between(3_600 * SECOND_MS, 3 * DAY_MS);
  const isWon = draws.chance(0.4);
  deposit.later.push({
    atMs,
    tells: true,
    does: (one) => {
      one.chargedBack = one.captured - taken(one);
      if (isWon && one.chargedBack > 0) {
        const wonAtMs = clock.atMs + DAY_MS;
        one.later.push({ atMs: wonAtMs, tells: true, does: (one) => win(bank, one) });
      }
    },
  });
}

function win(bank: Bank, deposit: Deposit): void {
  deposit.chargedBack = 0;
  bank.won.add(deposit.id);
}

const STATE = {
  pending: "pending",
  held: "pre_authorized",
  voided: "voided",
  expired: "expired",
  declined: "declined",
} as const;

function stateOf(deposit: Deposit): FoundTransaction["state"] {
  if (deposit.method !== "card" && deposit.state === "voided") return "canceled";
  if (deposit.state !== "captured") return STATE[deposit.state];
  if (deposit.chargedBack > 0) return "charged_back";
  if (deposit.refunds.some(({ status }) => status === "pending")) return "refund_pending";
  return refundedOf(deposit) >= deposit.captured ? "refunded" : "authorized";
}

export function found(deposit: Deposit): FoundTransaction {
  // When a buyer pays, nobody knows before.
  const isOffer = deposit.method !== "card";
  const ends = deposit.state === "pending" ? [deposit.holdEndsMs] : [];
  const next = isOffer ? ends : deposit.later.filter(({ tells }) => tells).map(({ atMs }) => atMs);
  return {
    kind: "found",
    providerTxId: deposit.id,
    state: stateOf(deposit),
    authorized: deposit.authorized,
    captured: deposit.captured,
    refunded: refundedOf(deposit),
    chargedBack: deposit.chargedBack,
    currency: "BRL",
    reference: deposit.reference,
    duplicates: [],
    refunds: deposit.refunds.map(({ id, reference, amount, status, atMs }) => ({
      refundId: id,
      reference,
      amount,
      status,
      at: iso(atMs),
    })),
    payments: deposit.payments.map(({ id, amount, atMs, isSurplus }) => ({
      paymentId: id,
      amount,
      paidAt: iso(atMs),
      surplus: isSurplus,
    })),
    ...(deposit.state === "declined" ? { decline: { declinedCode: "generic", retry: "never" } } : {}),
    ...(deposit.state === "held" || deposit.method !== "card" ? { expiresAt: iso(deposit.holdEndsMs) } : {}),
    ...(next.length > 0 ? { nextEventAt: iso(Math.min(...next)) } : {}),
    raw,
  };
}
