import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { openClient, type TestClient } from "@/lib/testing/api";
import { withMerchant } from "@/lib/testing/payments";
import { bought, changePurchase, type PurchaseReply, readPurchase, work } from "@/lib/testing/purchases";

/** The proof of the whole size sets it to 200. */
const ROUNDS = Number(process.env.PURCHASE_RACE_ROUNDS ?? 3);
const RACERS = 50;
const ROUND_MS = 15_000;

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
  /** Of what is answered 202. A refund of one card is over when it is answered with 201, and the next may begin. */
  isExact: boolean;
}

const KINDS: readonly Kind[] = [
  { isPaid: false, racers: [ask("capture"), ask("void"), refundOfCard], isExact: true },
  { isPaid: true, racers: [ask("void"), ask("capture")], isExact: true },
  { isPaid: true, racers: [ask("void"), refundOfCard, ask("capture")], isExact: false },
];

const LOST: ReadonlySet<string | undefined> = new Set([
  "purchase_operation_in_progress",
  "purchase_slot_charge",
  "purchase_invalid_state",
  "charge_invalid_state",
]);

test(`capture, void and refund of one purchase by ${RACERS} racers, ${ROUNDS} rounds: one of them is accepted each time`, {
  retry: 0,
  timeout: ROUND_MS * ROUNDS + ROUND_MS,
}, async () => {
  const shop = await withMerchant(await openClient());
  let accepted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const kind = KINDS[round % KINDS.length];
    if (!kind) break;
    const { isPaid, racers, isExact } = kind;
    const purchase = await bought(shop, { capture: isPaid });
    const before = await operationsOf(purchase.id);
    const replies = await Promise.all(
      // Which of them comes first changes from round to round.
      Array.from({ length: RACERS }, (_, at) => racers[(at + round) % racers.length]?.(shop.client, purchase)),
    );
    const losers = replies.filter((reply) => reply && reply.status !== 202 && reply.status !== 201);
    for (const loser of losers) expect(LOST, JSON.stringify(loser)).toContain(loser?.code);
    const taken = replies.filter((reply) => reply?.status === 202).length;
    expect(taken, `round ${round}`).toBeLessThanOrEqual(1);
    if (isExact) expect(taken, `round ${round}`).toBe(1);
    accepted += taken;
    await work(shop.client);
    expect(["paid", "cancelled"]).toContain((await readPurchase(shop.client, purchase.id)).status);
    const began = (await operationsOf(purchase.id)) - before;
    expect(began).toBe(RACERS - losers.length);
    await netsOut(purchase.id);
  }
  process.stdout.write(`RACE ${JSON.stringify({ rounds: ROUNDS, racers: RACERS, accepted })}\n`);
});

async function operationsOf(purchaseId: string): Promise<number> {
  const [row] = await systemSql()<{ n: number }[]>`
    select count(*)::int as n from purchase_operations where purchase_id = ${purchaseId} and requested_by = 'client'`;
  return row?.n ?? 0;
}

/** Whatever won: no card gave back more than it took, and the simulator says the same as the charges. */
async function netsOut(purchaseId: string): Promise<void> {
  const rows = await systemSql()<{ captured: number; refunded: number; there: number }[]>`
    select c.captured_amount::int as captured, c.refunded_amount::int as refunded,
           coalesce((select sum(m.amount) from sandbox_movements m join sandbox_transactions t on t.id = m.transaction_id
                      where t.charge_id = c.id and m.kind = 'refund'), 0)::int as there
      from charges c where c.purchase_id = ${purchaseId}`;
  for (const { captured, refunded, there } of rows) {
    expect(refunded).toBeLessThanOrEqual(captured);
    expect(there).toBe(refunded);
  }
}
