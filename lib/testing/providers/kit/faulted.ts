import { expect } from "vitest";
import { systemSql } from "@/db/client";
import { openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { type SandboxOutcome, sandboxPan } from "@/lib/reference/sandbox-pans";
import { proofFrom, proofRuns, recordProof } from "@/lib/testing/proof";
import { drawsFor } from "@/lib/testing/simulator/seeded";

/** What a request is about, as far as its fault is drawn from it. */
interface Asked {
  step: string;
  charge: string;
}

/** Tells our receiver, as a provider does: everything so far, or what `only` says of each by its place. */
export type Deliver = (how?: { copies?: number; only?: (index: number) => boolean }) => Promise<void>;

/** An acquirer beside the simulator, and its own books. */
export interface FaultedKind<F extends string> {
  /** What a request may meet, "none" as often as it is to go well. */
  faults: readonly (F | "none")[];
  /** Each request of a payment meets what this draws, from here on. */
  meet(faultOf: (asked: Asked) => Promise<F | undefined>): void;
  /** Gives a shop the kind, to be tried before the simulator or after it. */
  join(shop: Shop, isFirst: boolean): Promise<Deliver>;
  /** Approvals of a charge in its books, however they ended. */
  approvals(charge: string): number;
  /** What was asked or answered against the provider's document. */
  breaches?: readonly string[];
  /** What else is counted, at the end. */
  figures?(): Record<string, number>;
}

const AT_ONCE = 8;
const ROUND = 48;
const AT_SANDBOX: readonly SandboxOutcome[] = [
  "approve",
  "decline:insufficient_funds",
  "decline:issuer_not_available",
  "connection_reset_before_send",
  "malformed_body_authorised",
];
const NO_FAULT = "";
const SCENARIOS = [
  NO_FAULT,
  NO_FAULT,
  "fault=drop_response",
  "fault=http_status;status=500",
  "fault=truncate",
] as const;
const NAMES = ["approve", "approve", "approve", "decline:insufficient_funds", "decline:stolen_card", "pending_forever"];

/** No two payments of a round are of the same amount: it names the seed of a charge, whose id is made anew in each run. */
const amountOf = (seed: number): number => 1_000 + (seed % 9_000);

/** What each request of a payment meets: drawn from the payment's seed and from how often the step was asked for. */
function faultsOf<F extends string>(
  clientId: string,
  seeds: readonly number[],
  faults: readonly (F | "none")[],
): (asked: Asked) => Promise<F | undefined> {
  const seedOf = new Map(seeds.map((seed) => [amountOf(seed), seed]));
  const seedOfCharge = async (charge: string): Promise<number | undefined> => {
    const [row] = await systemSql()<{ amount: number }[]>`
      select amount::int from charges where client_id = ${clientId} and id::text = ${charge}`;
    return row && seedOf.get(row.amount);
  };
  const known = new Map<string, Promise<number | undefined>>();
  const asked = new Map<string, number>();
  return async ({ charge, step }) => {
    const looked = known.get(charge) ?? seedOfCharge(charge);
    known.set(charge, looked);
    const seed = await looked;
    const times = asked.get(`${charge} ${step}`) ?? 0;
    asked.set(`${charge} ${step}`, times + 1);
    const fault = seed === undefined ? "none" : drawsFor(`fault ${seed} ${step} ${times}`).pick(faults);
    return fault === "none" ? undefined : fault;
  };
}

async function pay(shop: Shop, seed: number): Promise<void> {
  const { chance, pick } = drawsFor(`payment ${seed}`);
  const scenario = pick(SCENARIOS);
  const card = {
    cardHolderName: pick(NAMES),
    cardNumber: sandboxPan(pick(AT_SANDBOX)),
    cardCvv: "123",
    cardExpirationDate: "12/2031",
  };
  await shop.pay(
    card.cardNumber,
    { capture: chance(0.5), amount: amountOf(seed), paymentSource: { sourceType: "card", card } },
    scenario === NO_FAULT ? {} : { scenario },
  );
}

interface InBooks {
  status: string;
  sandbox: number;
  kind: number;
}

/** What the acquirers' own books hold for a charge: approvals, however they ended. */
async function approvals(clientId: string, atKind: (charge: string) => number): Promise<Map<string, InBooks>> {
  const rows = await systemSql()<{ id: string; status: string; n: number }[]>`
    select c.id, c.status, (select count(*)::int from sandbox_transactions t
                              where t.charge_id = c.id and t.authorized > 0) as n
      from charges c where c.client_id = ${clientId}`;
  return new Map(rows.map(({ id, status, n }) => [id, { status, sandbox: n, kind: atKind(id) }]));
}

const TAKEN = ["pre_authorized", "authorized", "capture_pending"];

/** Payments over the kinds and the simulator, all of which fail in every way: none may be authorized twice. */
export async function payFaulted<F extends string>(kinds: readonly FaultedKind<F>[], inSuite: number): Promise<void> {
  const [first, runs] = [proofFrom(), proofRuns(inSuite)];
  // Each kind is tried first in a round of its own, and so is the simulator.
  const turns = kinds.length + 1;
  const round = Math.min(ROUND, Math.ceil(runs / turns));
  const violations: string[] = [];
  const atKinds = (id: string) => kinds.reduce((sum, kind) => sum + kind.approvals(id), 0);
  const figures = { authorizedAtSandbox: 0, authorizedAtKind: 0, failedOver: 0, failedOverTwice: 0, underReview: 0 };
  for (let begun = 0; begun < runs; begun += round) {
    const shop = await openShop();
    const { clientId } = shop;
    const seeds = Array.from({ length: Math.min(round, runs - begun) }, (_, index) => first + begun + index);
    const told: Deliver[] = [];
    for (const [index, kind] of kinds.entries()) {
      told.push(await kind.join(shop, (begun / round) % turns === index));
      kind.meet(faultsOf(clientId, seeds, kind.faults));
    }
    const deliver: Deliver = async (how) => {
      for (const one of told) await one(how);
    };
    for (let at = 0; at < seeds.length; at += AT_ONCE) {
      await Promise.all(seeds.slice(at, at + AT_ONCE).map((seed) => pay(shop, seed)));
    }
    // Half of the notifications come, each twice; the others come when everything has been asked.
    await deliver({ copies: 2, only: (index) => index % 2 === 0 });
    await shop.advance("PT30M");
    await deliver();
    await shop.advance("PT6H");
    for (const [id, { sandbox, kind, status }] of await approvals(clientId, atKinds)) {
      const books = `${sandbox} at SANDBOX, ${kind} at the others`;
      if (sandbox + kind > 1) violations.push(`${id} (${status}): authorized twice: ${books}`);
      if (TAKEN.includes(status) && sandbox + kind !== 1) violations.push(`${id} (${status}): ${books}`);
      if (status === "failed" && sandbox + kind !== 0) violations.push(`${id} failed: ${books}`);
      figures.authorizedAtSandbox += sandbox;
      figures.authorizedAtKind += kind;
    }
    const [counted] = await systemSql()<{ over: number; twice: number; reviews: number }[]>`
      with tried as (select charge_id, count(*) as times from transaction_requests
                      where client_id = ${clientId} and kind = 'authorize' group by charge_id)
      select (select count(*)::int from tried where times > 1) as over,
             (select count(*)::int from tried where times > 2) as twice,
             (select count(*)::int from charges where client_id = ${clientId} and review_reason is not null) as reviews`;
    figures.failedOver += counted?.over ?? 0;
    figures.failedOverTwice += counted?.twice ?? 0;
    figures.underReview += counted?.reviews ?? 0;
  }
  const breaches = [...new Set(kinds.flatMap((kind) => kind.breaches ?? []))];
  const more = Object.assign({}, ...kinds.map((kind) => kind.figures?.() ?? {}));
  recordProof({ ran: runs, violations: [...violations, ...breaches], figures: { ...figures, ...more } });
  expect([...violations, ...breaches]).toEqual([]);
  expect(figures.authorizedAtKind).toBeGreaterThan(0);
  expect(figures.failedOver).toBeGreaterThan(0);
}
