import { afterAll, beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { type SandboxOutcome, sandboxPan } from "@/lib/reference/sandbox-pans";
import { type MirrorFault, type MirrorServer, startMirror } from "@/lib/testing/mirror/server";
import { deliver, joinMirror, lowerOthers, type MirrorAccount, registerMirror } from "@/lib/testing/mirror/shop";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { drawsFor } from "@/lib/testing/simulator/seeded";

const IN_SUITE = 120;
const AT_ONCE = 12;
const ROUND = 60;

let mirror: MirrorServer;
beforeAll(async () => {
  mirror = await startMirror();
  registerMirror(mirror.url);
});
afterAll(() => mirror.close());

const AT_SANDBOX: readonly SandboxOutcome[] = [
  "approve",
  "decline:insufficient_funds",
  "decline:issuer_not_available",
  "connection_reset_before_send",
  "malformed_body_authorised",
];
const NO_FAULT = "";
const SCENARIOS: readonly string[] = [
  NO_FAULT,
  NO_FAULT,
  "fault=drop_response",
  "fault=http_status;status=500",
  "fault=truncate",
];
const AT_MIRROR: readonly (MirrorFault | "none")[] = [
  "none",
  "none",
  "lost_after",
  "lost_before",
  "http_500",
  "http_500_after",
  "truncated",
  "rate_limited",
];
const NAMES = ["approve", "approve", "approve", "decline:insufficient_funds", "decline:stolen_card", "pending_forever"];

interface Paying {
  shop: Shop;
  account: MirrorAccount;
}

/** One of the two is tried first, the other after a decline that allows it or a call that never left. */
async function openPaying(isMirrorFirst: boolean): Promise<Paying> {
  const shop = await openShop();
  const account = await joinMirror(shop, isMirrorFirst ? 1 : 2);
  if (isMirrorFirst) await lowerOthers(shop);
  return { shop, account };
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
    { capture: chance(0.5), amount: 1_000 + (seed % 9_000), paymentSource: { sourceType: "card", card } },
    scenario === NO_FAULT ? {} : { scenario },
  );
}

/** What the two acquirers' own books hold for a charge: approvals, however they ended. */
async function approvals(clientId: string): Promise<Map<string, { sandbox: number; mirror: number; status: string }>> {
  const rows = await systemSql()<{ id: string; status: string; n: number }[]>`
    select c.id, c.status, (select count(*)::int from sandbox_transactions t
                              where t.charge_id = c.id and t.authorized > 0) as n
      from charges c where c.client_id = ${clientId}`;
  return new Map(
    rows.map(({ id, status, n }) => {
      const approved = mirror.transactions.filter(
        ({ charge, state }) => charge === id && ["authorized", "captured", "canceled", "expired"].includes(state),
      );
      return [id, { sandbox: n, mirror: approved.length, status }];
    }),
  );
}

test("faulted payments over two acquirers: no second authorization in their books", {
  timeout: proofTimeout(240_000),
}, async () => {
  const [first, runs] = [proofFrom(), proofRuns(IN_SUITE)];
  const violations: string[] = [];
  const figures = { authorizedAtSandbox: 0, authorizedAtMirror: 0, failedOver: 0, replayed: 0, underReview: 0 };
  for (let begun = 0; begun < runs; begun += ROUND) {
    const paying = await openPaying((begun / ROUND) % 2 === 0);
    const { clientId } = paying.shop;
    mirror.faultOf = ({ charge, step }) => {
      const sent = mirror.requests.filter((one) => one.charge === charge).length;
      const fault = drawsFor(`${charge} ${step} ${sent}`).pick(AT_MIRROR);
      return fault === "none" ? undefined : fault;
    };
    const seeds = Array.from({ length: Math.min(ROUND, runs - begun) }, (_, index) => first + begun + index);
    for (let at = 0; at < seeds.length; at += AT_ONCE) {
      await Promise.all(seeds.slice(at, at + AT_ONCE).map((seed) => pay(paying, seed)));
    }
    // Half of the notifications come, each twice; the others come when everything has been asked.
    await deliver(mirror, paying.account, { copies: 2, only: ({ id }) => Number.parseInt(id.slice(-1), 16) % 2 === 0 });
    await paying.shop.advance("PT30M");
    await deliver(mirror, paying.account);
    await paying.shop.advance("PT6H");
    for (const [id, { sandbox, mirror: mirrored, status }] of await approvals(clientId)) {
      const books = `${sandbox} at SANDBOX, ${mirrored} at MIRROR`;
      if (sandbox + mirrored > 1) violations.push(`${id} (${status}): authorized twice: ${books}`);
      const isTaken = ["pre_authorized", "authorized", "capture_pending"].includes(status);
      if (isTaken && sandbox + mirrored !== 1) violations.push(`${id} (${status}): ${books}`);
      if (status === "failed" && sandbox + mirrored !== 0) violations.push(`${id} failed: ${books}`);
      figures.authorizedAtSandbox += sandbox;
      figures.authorizedAtMirror += mirrored;
    }
    const [told] = await systemSql()<{ over: number; reviews: number }[]>`
      select (select count(*)::int from (select charge_id from transaction_requests
               where client_id = ${clientId} and kind = 'authorize' group by charge_id having count(*) > 1) x) as over,
             (select count(*)::int from charges where client_id = ${clientId} and review_reason is not null) as reviews`;
    figures.failedOver += told?.over ?? 0;
    figures.underReview += told?.reviews ?? 0;
  }
  const sends = new Map<string, number>();
  for (const { operation, reference } of mirror.requests)
    if (operation === "confirmations") sends.set(reference, (sends.get(reference) ?? 0) + 1);
  figures.replayed = [...sends.values()].filter((times) => times > 1).length;
  recordProof({ ran: runs, violations, figures });
  expect(violations).toEqual([]);
  expect(figures.failedOver).toBeGreaterThan(0);
  expect(figures.replayed).toBeGreaterThan(0);
});
