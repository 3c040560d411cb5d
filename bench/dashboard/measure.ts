import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { dispatch } from "@/app/api/registry";
import { openShop, type Shop } from "@/bench/charges/shop";
import { type Account, fillAccount, type Models } from "@/bench/dashboard/rows";
import { percentile } from "@/bench/latencies";
import { serverCpuSeconds } from "@/bench/machine";
import { ownCpuSeconds } from "@/bench/processes";
import { loadAccount } from "@/lib/accounts/service";
import { actsOn, eventsOf, ledgerOf, paymentOverview } from "@/lib/charges/overview";
import { type Context, now, systemContext } from "@/lib/context";
import { approvalNow } from "@/lib/insights/approval-now";
import { attentionOf } from "@/lib/insights/attention";
import { paymentFiguresOf, type Span } from "@/lib/insights/figures";
import { providersNow } from "@/lib/insights/providers-now";
import { rollUpCharges } from "@/lib/insights/roll-up";
import { listMonitors } from "@/lib/monitors/service";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { searchEverything } from "@/lib/search/everything";
import { type ListFilters, listPayments } from "@/lib/search/payments";
import { addSeconds, DAY_SECONDS } from "@/lib/time";
import { deliveriesOf } from "@/lib/webhooks/of-events";

/** Milliseconds in an account with so many charges. */
export interface Timed {
  group: Group;
  name: string;
  rows: number;
  p50: number;
  p95: number;
  /** Of the p95 of the smallest account. */
  ratio: number;
}

export interface DashboardResult extends Timed {
  /** Milliseconds of CPU for each request, PostgreSQL and Node: what stays the same on a busy machine. */
  cpu: { database: number; node: number };
}

export const GROUPS = {
  search: { target: 150, title: "search" },
  list: { target: 200, title: "list" },
  payment: { target: 150, title: "payment page" },
  home: { target: 400, title: "home" },
} as const;
export type Group = keyof typeof GROUPS;

interface Case {
  group: Group;
  name: string;
  run(ctx: Context, account: Account, turn: number): Promise<unknown>;
}

const CENTS = 100;
const MS = 1_000;
const find = (name: string, typed: (account: Account, turn: number) => string): Case => ({
  group: "search",
  name,
  run: async (ctx, account, turn) => {
    const found = await searchEverything(ctx, "owner", typed(account, turn));
    if (found.isPartial) partial += 1;
  },
});
/** Searches that left something out because it took too long. */
let partial = 0;

const list = (name: string, filters: (account: Account, turn: number) => ListFilters): Case => ({
  group: "list",
  name,
  run: (ctx, account, turn) => listPayments(ctx, "owner", filters(account, turn)),
});

const spanOf = (at: Date, days: number): Span => {
  const from = addSeconds(at, -days * DAY_SECONDS);
  return {
    from,
    until: addSeconds(at, 1),
    before: addSeconds(from, -days * DAY_SECONDS),
    beforeUntil: from,
    merchantId: undefined,
    step: days > 1 ? "day" : "hour",
  };
};
const home = (name: string, days: number): Case => ({
  group: "home",
  name,
  run: async (ctx) => {
    const at = now(ctx);
    await Promise.all([
      attentionOf(ctx, "owner"),
      paymentFiguresOf(ctx, "owner", spanOf(at, days)),
      providersNow(ctx, "owner", undefined),
      approvalNow(ctx, "owner", undefined),
      listMonitors(ctx, "owner"),
    ]);
  },
});

const CASES: readonly Case[] = [
  find("nothing yet: the recent ones", () => ""),
  find("payment id", ({ known }) => known.id),
  find("order", ({ rows }, turn) => `pedido-${(turn * 997) % rows}`),
  find("beginning of an order", () => "pedido-12"),
  find("e-mail", ({ rows }, turn) => `pessoa.${(turn * 331) % Math.ceil(rows / 10)}@example.com`),
  find("part of a name", () => "clara"),
  find("document", ({ known }) => known.document),
  find("last four", ({ known }) => known.lastFour),
  find("NSU", ({ known }) => known.nsu),
  find("provider's id", ({ known }) => known.transactionId),
  find("amount", ({ known }) => (known.amount / CENTS).toFixed(2).replace(".", ",")),
  find("nothing like it", (_account, turn) => `nobody-${turn}@example.com`),
  list("newest", () => ({})),
  list("100 rows", () => ({ limit: 100 })),
  list("declined", () => ({ status: ["failed"] })),
  list("held", () => ({ status: ["pre_authorized", "capture_pending"] })),
  list("disputed (none)", () => ({ status: ["charged_back"] })),
  list("boleto", () => ({ method: ["boleto"] })),
  list("a method nobody used", () => ({ method: ["voucher"] })),
  list("provider", () => ({ provider: ["CIELO"] })),
  list("provider nobody asked", () => ({ provider: ["STONE"] })),
  list("merchant", ({ shop }) => ({ merchantId: shop.merchantId })),
  list("decline code", () => ({ declineCode: "expired_card" })),
  list("decline code, Pix, provider", () => ({ declineCode: "expired_card", method: ["pix"], provider: ["CIELO"] })),
  list("boleto, held, provider (none)", () => ({
    method: ["boleto"],
    status: ["pre_authorized"],
    provider: ["CIELO"],
  })),
  list("seven days", () => ({ from: addSeconds(new Date(), -7 * DAY_SECONDS) })),
  list("amount", ({ known }) => ({ search: (known.amount / CENTS).toFixed(2).replace(".", ",") })),
  list("buyer's e-mail", ({ known }) => ({ search: known.email })),
  list("last four", ({ known }) => ({ search: known.lastFour })),
  list("metadata", () => ({ metadata: { key: "campaign", value: "natal" } })),
  list("brand", () => ({ brand: "Visa" })),
  list("brand that few have", () => ({ brand: "JCB" })),
  list("brand nobody has", () => ({ brand: "Diners" })),
  list("brand, declined", () => ({ brand: "Visa", status: ["failed"] })),
  list("brand, declined, period", () => ({
    brand: "Mastercard",
    status: ["failed"],
    from: addSeconds(new Date(), -7 * DAY_SECONDS),
  })),
  list("has split (none)", () => ({ hasSplit: true })),
  list("amounts, few", ({ known }) => ({ minAmount: known.amount, maxAmount: known.amount + 9 })),
  list("amounts, half of all", () => ({ minAmount: 45_000 })),
  list("amounts nobody paid", () => ({ minAmount: 100_000_000 })),
  list("buyer", ({ known }) => ({ buyer: known.document })),
  list("far down", ({ rows, known }, turn) => ({
    after: `${addSeconds(new Date(), -(rows / 2) * 7 - turn).toISOString()}_${known.id}`,
  })),
  {
    group: "payment",
    name: "all panels",
    run: async (ctx, { known }) => {
      await paymentOverview(ctx, "owner", known.id);
      const told = async () =>
        deliveriesOf(
          ctx,
          "owner",
          (await eventsOf(ctx, known.id)).map(({ id }) => id),
        );
      await Promise.all([
        told(),
        told(),
        providersNow(ctx, "owner", undefined),
        eventsOf(ctx, known.id),
        actsOn(ctx, known.id),
        ledgerOf(ctx, "owner", known.id),
      ]);
    },
  },
  home("today", 1),
  home("30 days", 30),
];

/** Every case in each account; the accounts take turns, so that a busy moment of the machine meets all of them. */
export async function measureDashboard(
  server: { url: string; pid: number },
  { sizes, rounds, requests }: { sizes: readonly number[]; rounds: number; requests: number },
  say: (line: string) => void,
): Promise<{ accounts: Account[]; results: DashboardResult[]; partial: number }> {
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  try {
    const accounts: Account[] = [];
    for (const rows of sizes) {
      say(`an account with ${rows.toLocaleString("en")} charges`);
      accounts.push(await fillAccount(sql, await makeModels(), rows));
    }
    say("roll-ups and statistics");
    await rollUpCharges();
    await sql`vacuum analyze`;
    const contexts = await Promise.all(
      accounts.map(async ({ shop }) => systemContext(await loadAccount(shop.clientId), randomUUID())),
    );
    const results: DashboardResult[] = [];
    for (const one of CASES) {
      say(`${GROUPS[one.group].title}: ${one.name}`);
      results.push(...(await measureCase(one, accounts, contexts, { pid: server.pid, rounds, requests })));
    }
    return { accounts, results, partial };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function measureCase(
  one: Case,
  accounts: readonly Account[],
  contexts: readonly Context[],
  { pid, rounds, requests }: { pid: number; rounds: number; requests: number },
): Promise<DashboardResult[]> {
  const taken = accounts.map((): number[] => []);
  const cpu = accounts.map(() => ({ database: 0, node: 0 }));
  for (let round = -1; round < rounds; round++) {
    for (const [index, account] of accounts.entries()) {
      const ctx = contexts[index];
      const used = cpu[index];
      if (!ctx || !used) continue;
      const [databaseBefore, nodeBefore] = [serverCpuSeconds(pid), ownCpuSeconds()];
      for (let turn = 0; turn < requests; turn++) {
        const began = performance.now();
        await one.run(ctx, account, round * requests + turn + requests);
        if (round >= 0) taken[index]?.push(performance.now() - began);
      }
      if (round >= 0) {
        used.database += serverCpuSeconds(pid) - databaseBefore;
        used.node += ownCpuSeconds() - nodeBefore;
      }
    }
  }
  const at = (index: number, part: number): number =>
    percentile(
      [...(taken[index] ?? [])].sort((a, b) => a - b),
      part,
    );
  return accounts.map(({ rows }, index) => ({
    group: one.group,
    name: one.name,
    rows,
    p50: at(index, 0.5),
    p95: at(index, 0.95),
    ratio: at(index, 0.95) / at(0, 0.95),
    cpu: {
      database: ((cpu[index]?.database ?? 0) * MS) / (rounds * requests),
      node: ((cpu[index]?.node ?? 0) * MS) / (rounds * requests),
    },
  }));
}

/** One of each thing, made by the product itself, to be copied. */
async function makeModels(): Promise<Models> {
  const shop = await openShop();
  const customerId = await make<{ id: string }>(shop, "/v1/customers", {
    name: "Ana Souza",
    email: "ana@example.com",
    phoneNumber: "+5511999990000",
    document: { type: "cpf", number: "52998224725" },
  }).then(({ id }) => id);
  const card = {
    cardHolderName: "Ana Souza",
    cardNumber: sandboxPan("approve"),
    cardCvv: "120",
    cardExpirationDate: "12/2031",
  };
  const slot = async (amount: number) => ({
    amount,
    paymentMethod: { paymentType: "credit" },
    paymentSource: {
      sourceType: "token",
      tokenId: (await make<{ tokenId: string }>(shop, "/v1/tokens", card)).tokenId,
    },
  });
  const charge = await make<{ id: string; paymentSource: { cardId: string } }>(shop, "/v1/charges", {
    merchantId: shop.merchantId,
    capture: true,
    customerId,
    ...(await slot(10_500)),
  });
  const purchase = await make<{ id: string }>(shop, "/v1/purchases", {
    merchantId: shop.merchantId,
    amount: 10_000,
    capture: false,
    payments: [await slot(5_000), await slot(5_000)],
  });
  return { chargeId: charge.id, customerId, cardId: charge.paymentSource.cardId, purchaseId: purchase.id };
}

async function make<T>({ clientId, apiKey }: Shop, path: string, body: object): Promise<T> {
  const answer = await dispatch(
    new Request(`http://127.0.0.1${path}`, {
      method: "POST",
      headers: {
        "x-client-id": clientId,
        "x-api-key": apiKey,
        "x-idempotency-key": randomUUID(),
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    }),
  );
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  // Guarantee: the caller names what this path answers with.
  return (await answer.json()) as T;
}
