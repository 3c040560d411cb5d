import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { driveOperation } from "@/lib/purchases/work";
import type { SandboxOutcome } from "@/lib/reference/sandbox-pans";
import { recoverCharges } from "@/lib/scheduler/recover";
import type { TestClient } from "@/lib/testing/api";
import { wrongsOf, wrongsOfCharges } from "@/lib/testing/kills/judge";
import { keptCards, recover } from "@/lib/testing/kills/runs";
import type { Shop } from "@/lib/testing/payments";
import { pause } from "@/lib/wait";

/** What a client wants and keeps asking for with one key until it is answered; and what it then does with it. */
export interface Order {
  key: string;
  path: "/v1/purchases" | "/v1/charges";
  body: Record<string, unknown>;
  after: "nothing" | "void";
  id?: string;
  /** Requests without an answer, or with one that says that we cannot serve now. */
  unanswered: number;
}

const KINDS: readonly { outcomes: readonly SandboxOutcome[]; capture: boolean; after: Order["after"] }[] = [
  { outcomes: ["approve", "approve"], capture: true, after: "nothing" },
  { outcomes: ["approve"], capture: true, after: "void" },
  { outcomes: ["approve", "timeout_authorised_at_provider"], capture: true, after: "nothing" },
  { outcomes: ["approve", "approve", "approve"], capture: false, after: "void" },
  { outcomes: ["timeout_authorised_at_provider"], capture: true, after: "nothing" },
  { outcomes: ["approve", "decline:generic"], capture: true, after: "nothing" },
  { outcomes: ["approve"], capture: false, after: "void" },
  { outcomes: ["capture_timeout_captured", "approve"], capture: true, after: "void" },
];

/** Single charges and purchases of several cards, in an order of their own; made while everything works. */
export async function ordersOf({ client, merchant }: Shop, from: number, count: number): Promise<Order[]> {
  const cardOf = keptCards(client);
  const orders: Order[] = [];
  for (let nth = from; nth < from + count; nth++) {
    const { outcomes, capture, after } = KINDS[nth % KINDS.length] ?? { outcomes: [], capture: true, after: "nothing" };
    const payments = [];
    for (const [index, outcome] of outcomes.entries()) {
      const paymentSource = { sourceType: "card", cardId: await cardOf(outcome) };
      payments.push({ amount: 5_000 + index, paymentMethod: { paymentType: "credit" }, paymentSource });
    }
    const [only] = payments;
    const key = `order-${nth}-${newId()}`;
    const common = { merchantId: merchant.id, capture, orderId: key };
    const amount = payments.reduce((sum, payment) => sum + payment.amount, 0);
    const isSingle = payments.length === 1;
    orders.push({
      key,
      path: isSingle ? "/v1/charges" : "/v1/purchases",
      body: isSingle ? { ...common, ...only } : { ...common, amount, payments },
      after,
      unanswered: 0,
    });
  }
  return orders;
}

const TRIES = 4;
const AGAIN_MS = 20;
const IN_PROGRESS = 409;

/** Asks a few times, as a client does that gets no answer; true when it was answered. */
export async function ask(client: TestClient, order: Order, tries = TRIES): Promise<boolean> {
  for (let tried = 0; tried < tries; tried++) {
    const { key, path, body } = order;
    const reply = await client.call("POST", path, { body, idempotencyKey: key }).catch(() => undefined);
    if (reply && reply.status < 500 && reply.status !== IN_PROGRESS) {
      if (reply.status >= 300) throw new Error(`${key} was answered ${reply.status}: ${reply.text}`);
      order.id = reply.body.id;
      return true;
    }
    order.unanswered += 1;
    await pause(AGAIN_MS);
  }
  return false;
}

/** What workers do for these orders, each step as often as it takes; what fails is left to be recovered. */
export async function workOn(client: TestClient, orders: readonly Order[]): Promise<number> {
  let failed = 0;
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    await work().catch(() => {
      failed += 1;
    });
  };
  await Promise.all(
    orders.map(async ({ id, path, after, key }) => {
      if (id === undefined) return;
      if (path === "/v1/purchases") await attempt(() => driveAll(client, id));
      if (after !== "void") return;
      await attempt(async () => {
        const given = { body: {}, idempotencyKey: `${key}-void` };
        const reply = await client.call("POST", `${path}/${id}/void`, given);
        if (reply.status >= 500) throw new Error(reply.text);
      });
      if (path === "/v1/purchases") await attempt(() => driveAll(client, id));
    }),
  );
  return failed;
}

async function driveAll({ clientId }: TestClient, purchaseId: string): Promise<void> {
  const rows = await systemSql()<{ id: string }[]>`
    select id from purchase_operations where purchase_id = ${purchaseId} and status in ('pending', 'processing')`;
  for (const { id } of rows) await driveOperation(systemContext(await loadAccount(clientId), newId()), id);
}

const MOST_ROUNDS = 30;

/** Everything works again: leases end, workers come back, and every client asks once more with the key it has. */
export async function settleOrders(client: TestClient, orders: readonly Order[]): Promise<string[]> {
  const sql = systemSql();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await sql`update charges set lease_until = now() - interval '1 second'
               where client_id = ${client.clientId} and lease_until is not null`;
    await sql`update idempotency_keys set lease_until = now() - interval '1 second'
               where client_id = ${client.clientId} and lease_until is not null`;
    if ((await recoverCharges()) === 0) break;
  }
  const wrongs: string[] = [];
  for (const order of orders) {
    const before = order.id;
    if (!(await ask(client, order))) wrongs.push(`${order.key}: never answered`);
    if (before !== undefined && before !== order.id) wrongs.push(`I1: ${order.key} is ${before}, and then ${order.id}`);
  }
  await recover(client);
  return [...wrongs, ...(await wrongsOfOrders(client, orders))];
}

async function wrongsOfOrders({ clientId }: TestClient, orders: readonly Order[]): Promise<string[]> {
  const sql = systemSql();
  const keys = orders.map(({ key }) => key);
  const made = await sql<{ id: string; key: string; is_purchase: boolean }[]>`
    select id, order_id as key, true as is_purchase from purchases
     where client_id = ${clientId} and order_id = any(${keys})
    union all
    select id, order_id, false from charges
     where client_id = ${clientId} and order_id = any(${keys}) and purchase_id is null`;
  const twice = keys.filter((key) => made.filter((one) => one.key === key).length !== 1);
  const [books] = await sql<{ unbalanced: number }[]>`
    select count(*)::int as unbalanced from (select journal_id from postings where client_id = ${clientId}
      group by 1 having sum(amount) <> 0) broken`;
  const idsOf = (isPurchase: boolean) => made.filter((one) => one.is_purchase === isPurchase).map(({ id }) => id);
  return [
    ...twice.map((key) => `I1: ${key} is there ${made.filter((one) => one.key === key).length} times`),
    ...((books?.unbalanced ?? 0) > 0 ? ["M2: a journal is not balanced"] : []),
    ...(await wrongsOf(idsOf(true))),
    ...(await wrongsOfCharges(idsOf(false))),
  ];
}
