import { expect } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import { openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { type SandboxOutcome, sandboxPan } from "@/lib/reference/sandbox-pans";
import { proofFrom, proofRuns, recordProof } from "@/lib/testing/proof";
import type { Books } from "@/lib/testing/providers/kit/books";
import type { About, MockFault, MockServer } from "@/lib/testing/providers/kit/server";
import { drawsFor } from "@/lib/testing/simulator/seeded";

/** A kind and its stand-in; its provider is registered by the API, as a merchant does. */
export interface FaultedKind {
  mock: MockServer & { books: Books };
  credentials(name: string): Record<string, string>;
  /** What the stand-in has told about the account so far, as our receiver gets it. */
  notifications(credentials: Record<string, string>): { id: string; headers: Headers; body: string }[];
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
const AT_KIND: readonly (MockFault | "none")[] = [
  "none",
  "none",
  "none",
  "lost_after",
  "lost_before",
  "http_500",
  "http_500_after",
  "truncated",
  "doubled",
  "contradicting",
  "rate_limited",
];
const NAMES = ["approve", "approve", "approve", "decline:insufficient_funds", "decline:stolen_card", "pending_forever"];

interface Paying {
  shop: Shop;
  providerId: string;
  credentials: Record<string, string>;
}

/** The kind is tried first, or the simulator is: the other one after a decline that allows it or a call that never left. */
async function openPaying({ credentials }: FaultedKind, isFirst: boolean): Promise<Paying> {
  const shop = await openShop();
  const own = credentials(newId().replaceAll("-", ""));
  const { id } = await shop.make<{ id: string }>("POST", `/v1/merchants/${shop.merchantId}/providers`, {
    body: { name: "Real kind", priority: isFirst ? 1 : 20, credentials: { ...own, environment: "test" } },
  });
  await systemSql()`update providers set priority = 10 where merchant_id = ${shop.merchantId} and kind = 'SANDBOX'`;
  return { shop, providerId: id, credentials: own };
}

/** No two payments of a round are of the same amount: it names the seed of a charge, whose id is made anew in each run. */
const amountOf = (seed: number): number => 1_000 + (seed % 9_000);

/** What each request of a payment meets: drawn from the payment's seed and from how often the step was asked for. */
function faultsOf(clientId: string, seeds: readonly number[]): (about: About) => Promise<MockFault | undefined> {
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
    const fault = seed === undefined ? "none" : drawsFor(`fault ${seed} ${step} ${times}`).pick(AT_KIND);
    return fault === "none" ? undefined : fault;
  };
}

async function pay({ shop }: Paying, seed: number): Promise<void> {
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

async function deliver(
  of: FaultedKind,
  { providerId, credentials }: Paying,
  { copies = 1, only = () => true }: { copies?: number; only?: (index: number) => boolean } = {},
): Promise<void> {
  for (const [index, { headers, body }] of of.notifications(credentials).entries()) {
    if (!only(index)) continue;
    for (let copy = 0; copy < copies; copy++)
      await receiveNotification(newId(), providerId, headers, Buffer.from(body));
  }
}

interface InBooks {
  status: string;
  sandbox: number;
  kind: number;
}

/** What both acquirers' own books hold for a charge: approvals, however they ended. */
async function approvals(clientId: string, { mock }: FaultedKind): Promise<Map<string, InBooks>> {
  const rows = await systemSql()<{ id: string; status: string; n: number }[]>`
    select c.id, c.status, (select count(*)::int from sandbox_transactions t
                              where t.charge_id = c.id and t.authorized > 0) as n
      from charges c where c.client_id = ${clientId}`;
  return new Map(
    rows.map(({ id, status, n }) => {
      const approved = mock.books.entries.filter(({ charge, held }) => charge === id && held > 0);
      return [id, { status, sandbox: n, kind: approved.length }];
    }),
  );
}

const TAKEN = ["pre_authorized", "authorized", "capture_pending"];

/** Payments over the kind and the simulator, both of which fail in every way: none may be authorized twice. */
export async function payFaulted(of: FaultedKind, inSuite: number): Promise<void> {
  const [first, runs] = [proofFrom(), proofRuns(inSuite)];
  // At least two rounds: one begins at the kind, the next at the simulator.
  const round = Math.min(ROUND, Math.ceil(runs / 2));
  const violations: string[] = [];
  const figures = { authorizedAtSandbox: 0, authorizedAtKind: 0, failedOver: 0, underReview: 0 };
  const { mock } = of;
  for (let begun = 0; begun < runs; begun += round) {
    const paying = await openPaying(of, (begun / round) % 2 === 0);
    const { clientId } = paying.shop;
    const seeds = Array.from({ length: Math.min(round, runs - begun) }, (_, index) => first + begun + index);
    mock.faultOf = faultsOf(clientId, seeds);
    for (let at = 0; at < seeds.length; at += AT_ONCE) {
      await Promise.all(seeds.slice(at, at + AT_ONCE).map((seed) => pay(paying, seed)));
    }
    // Half of the notifications come, each twice; the others come when everything has been asked.
    await deliver(of, paying, { copies: 2, only: (index) => index % 2 === 0 });
    await paying.shop.advance("PT30M");
    await deliver(of, paying);
    await paying.shop.advance("PT6H");
    for (const [id, { sandbox, kind, status }] of await approvals(clientId, of)) {
      const books = `${sandbox} at SANDBOX, ${kind} at the kind`;
      if (sandbox + kind > 1) violations.push(`${id} (${status}): authorized twice: ${books}`);
      if (TAKEN.includes(status) && sandbox + kind !== 1) violations.push(`${id} (${status}): ${books}`);
      if (status === "failed" && sandbox + kind !== 0) violations.push(`${id} failed: ${books}`);
      figures.authorizedAtSandbox += sandbox;
      figures.authorizedAtKind += kind;
    }
    const [told] = await systemSql()<{ over: number; reviews: number }[]>`
      select (select count(*)::int from (select charge_id from transaction_requests
               where client_id = ${clientId} and kind = 'authorize' group by charge_id having count(*) > 1) x) as over,
             (select count(*)::int from charges where client_id = ${clientId} and review_reason is not null) as reviews`;
    figures.failedOver += told?.over ?? 0;
    figures.underReview += told?.reviews ?? 0;
  }
  recordProof({ ran: runs, violations: [...violations, ...mock.breaches], figures });
  expect(violations).toEqual([]);
  expect([...new Set(mock.breaches)]).toEqual([]);
  expect(figures.authorizedAtKind).toBeGreaterThan(0);
  // Chance decides what each payment meets: a few payments may meet no decline that allows the next provider.
  if (runs >= ROUND) expect(figures.failedOver).toBeGreaterThan(0);
}
