import { afterAll, beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";
import { openClient, type TestClient } from "@/lib/testing/api";
import { type MirrorServer, startMirror } from "@/lib/testing/mirror/server";
import { deliver, joinMirror, registerMirror } from "@/lib/testing/mirror/shop";
import { type Shop, withMerchant } from "@/lib/testing/payments";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { advance, bought, changePurchase, type PurchaseReply, readPurchase, work } from "@/lib/testing/purchases";

const IN_SUITE = 4;
const IN_SUITE_OVER_TWO = 2;
const RACERS = 50;
const MOST_MS = 120_000;
const ACCEPTED = 202;
const REFUSED = 300;

type Racer = (client: TestClient, purchase: PurchaseReply) => Promise<{ status: number; code: string | undefined }>;

const ask =
  (verb: "capture" | "void"): Racer =>
  async (client, { id }) => {
    const { status, error } = await changePurchase(client, id, verb);
    return { status, code: error?.businessCode };
  };

/** Through the charge of one card: refused while it is held, and taken when it has paid. */
const refundOfCard: Racer = async (client, { payments }) => {
  const { status, error } = await client.call<PurchaseReply>("POST", `/v1/charges/${payments[0]?.chargeId}/void`, {
    body: { amount: 100 },
  });
  return { status, code: error?.businessCode };
};

interface Kind {
  isPaid: boolean;
  racers: Racer[];
}

const KINDS: readonly Kind[] = [
  { isPaid: false, racers: [ask("capture"), ask("void"), refundOfCard] },
  { isPaid: true, racers: [ask("void"), ask("capture")] },
];
/** A refund of one card is over when it is answered with 201, and the next may begin: a void may find no room. */
const WITH_REFUNDS: Kind = { isPaid: true, racers: [ask("void"), refundOfCard, ask("capture")] };

let mirror: MirrorServer;
beforeAll(async () => {
  mirror = await startMirror();
  registerMirror(mirror.url);
});
afterAll(() => mirror.close());

const LOST: ReadonlySet<string | undefined> = new Set([
  "purchase_operation_in_progress",
  "purchase_slot_charge",
  "purchase_invalid_state",
  "charge_invalid_state",
]);

test(`capture, void and refund of one purchase by ${RACERS} racers at once: exactly one is accepted`, {
  timeout: proofTimeout(MOST_MS),
}, async () => {
  const shop = await withMerchant(await openClient());
  await runRaces(proofRuns(IN_SUITE), (kind, round) => race(shop, kind, round));
});

test(`over two acquirers, one of which tells later: exactly one of ${RACERS} is accepted`, {
  timeout: proofTimeout(MOST_MS),
}, async () => {
  // The simulator leaves the second card to the next provider.
  const outcomes = ["approve", "decline:issuer_not_available"] as const;
  await runRaces(proofRuns(IN_SUITE_OVER_TWO), async (kind, round) => {
    // A card that was declined a few times is not tried again: each round has an account of its own.
    const shop = await withMerchant(await openClient());
    const { client, merchant } = shop;
    const account = await joinMirror({ clientId: client.clientId, merchantId: merchant.id }, 20);
    const tell = async () => {
      await deliver(mirror, account);
      await advance(client, "PT1S");
      await work(client);
    };
    return race(shop, kind, round, { outcomes, tell });
  });
  expect(mirror.transactions.some(({ captured }) => captured > 0)).toBe(true);
});

async function runRaces(
  rounds: number,
  run: (kind: Kind, round: number) => Promise<{ accepted: number[]; wrongs: string[] }>,
): Promise<void> {
  const first = proofFrom();
  const violations: string[] = [];
  const figures = { racers: 0, accepted: 0 };
  for (let round = first; round < first + rounds; round++) {
    const { accepted, wrongs } = await run(KINDS[round % KINDS.length] ?? WITH_REFUNDS, round);
    if (accepted.length !== 1 || accepted[0] !== ACCEPTED) wrongs.push(`accepted ${accepted.join(", ") || "nothing"}`);
    figures.racers += RACERS;
    figures.accepted += accepted.length;
    violations.push(...wrongs.map((wrong) => `round ${round + 1}: ${wrong}`));
  }
  recordProof({ ran: rounds, violations, figures });
  expect(violations).toEqual([]);
}

test("where refunds of one card race with a void of all, the void is accepted at most once and nothing is given back twice", async () => {
  const shop = await withMerchant(await openClient());
  const { accepted, wrongs } = await race(shop, WITH_REFUNDS, 0);
  expect(wrongs).toEqual([]);
  expect(accepted.length).toBeGreaterThan(0);
  expect(accepted.filter((status) => status === ACCEPTED).length).toBeLessThanOrEqual(1);
});

interface OverTwo {
  outcomes: readonly SandboxOutcome[];
  tell: () => Promise<void>;
}

/** What was accepted of one race, and what is wrong after it. */
async function race(shop: Shop, { isPaid, racers }: Kind, round: number, over?: OverTwo) {
  const purchase = await bought(shop, { capture: isPaid, ...(over ? { outcomes: over.outcomes } : {}) });
  await over?.tell();
  const before = await operationsOf(purchase.id);
  const replies = await Promise.all(
    // Which of them comes first changes from round to round.
    Array.from({ length: RACERS }, (_, at) => racers[(at + round) % racers.length]?.(shop.client, purchase)),
  );
  const accepted = replies.flatMap((reply) => (reply && reply.status < REFUSED ? reply.status : []));
  const wrongs = replies.flatMap((reply) =>
    !reply || reply.status < REFUSED || LOST.has(reply.code) ? [] : `answered ${reply.status} ${reply.code}`,
  );
  await work(shop.client);
  await over?.tell();
  const { status } = await readPurchase(shop.client, purchase.id);
  if (status !== "paid" && status !== "cancelled") wrongs.push(`the purchase is ${status}`);
  const began = (await operationsOf(purchase.id)) - before;
  if (began !== accepted.length) wrongs.push(`${began} operations began, ${accepted.length} were accepted`);
  return { accepted, wrongs: [...wrongs, ...(await oddsOf(purchase.id))] };
}

async function operationsOf(purchaseId: string): Promise<number> {
  const [row] = await systemSql()<{ n: number }[]>`
    select count(*)::int as n from purchase_operations where purchase_id = ${purchaseId} and requested_by = 'client'`;
  return row?.n ?? 0;
}

/** Whatever won: no card gave back more than it took, and the acquirers say the same as the charges. */
async function oddsOf(purchaseId: string): Promise<string[]> {
  const charges = await systemSql()<{ id: string; captured: number; refunded: number; there: number }[]>`
    select c.id, c.captured_amount::int as captured, c.refunded_amount::int as refunded,
           coalesce((select sum(m.amount) from sandbox_movements m join sandbox_transactions t on t.id = m.transaction_id
                      where t.charge_id = c.id and m.kind = 'refund'), 0)::int as there
      from charges c where c.purchase_id = ${purchaseId}`;
  const atMirror = (id: string) =>
    mirror.transactions.filter(({ charge }) => charge === id).reduce((sum, one) => sum + one.refunded, 0);
  return charges
    .map((charge) => ({ ...charge, there: charge.there + atMirror(charge.id) }))
    .filter(({ captured, refunded, there }) => refunded > captured || there !== refunded)
    .map(({ captured, refunded, there }) => `captured ${captured}, given back ${refunded}, at the provider ${there}`);
}
