import { systemSql } from "@/db/client";
import { releaseDue } from "@/lib/receivables/release";
import { aKey } from "@/lib/testing/api";
import type { Reply } from "@/lib/testing/api-client";
import { type ChargeReply, voidIt } from "@/lib/testing/payments";
import { changePurchase, type PurchaseReply, readPurchase, work } from "@/lib/testing/purchases";
import type { Draws } from "@/lib/testing/simulator/seeded";
import { drawsFor } from "@/lib/testing/simulator/seeded";
import { booksOf, expectedBooks, expectedReceivables, receivablesOf } from "@/lib/testing/split-oracle/compare";
import { type Books, capture, isBelowZero, type Sale } from "@/lib/testing/split-oracle/oracle";
import { LATE, type Place } from "@/lib/testing/split-oracle/place";
import { chargeback, refund, release, takenByBank, won } from "@/lib/testing/split-oracle/returns";
import { askedRule, drawnParts, drawnSale, type Sold } from "@/lib/testing/split-oracle/sales";

/** One card, Pix or boleto of a case, and what the text says of it. */
interface Line {
  id: string;
  kind: Sold["kind"];
  sale: Sale;
  books: Books;
  late: ReadonlySet<number>;
  told: string[];
  /** Of a purchase that was cancelled: it keeps nothing any more (spec/purchases.md P7, spec/invariants.md M7). */
  isOver: boolean;
}

const remainingOf = ({ owed, bank }: Books): number => owed + bank;

const MOST_STEPS = 4;

/** The first cent that is somewhere else than the text says. */
class Difference extends Error {}

function same(actual: Record<string, unknown>, expected: Record<string, unknown>, what: string): void {
  const keys = [...new Set([...Object.keys(actual), ...Object.keys(expected)])].sort();
  const wrong = keys.filter((key) => JSON.stringify(actual[key]) !== JSON.stringify(expected[key]));
  if (wrong.length === 0) return;
  const said = wrong.map((key) => `${key} is ${JSON.stringify(actual[key])}, not ${JSON.stringify(expected[key])}`);
  throw new Difference(`${what}: ${said.join("; ")}`);
}

const refused = (reply: Reply<unknown>, what: string): never => {
  throw new Difference(`${what} answered ${reply.status}: ${reply.text.slice(0, 300)}`);
};

/** One sale and what happens to it; answers how often its books were compared. */
export async function runCase(place: Place, seed: number): Promise<number> {
  const draws = drawsFor(`split sale ${seed}`);
  const sold = drawnSale(draws, place);
  const sales = sold.kind === "purchase" ? sold.cards : [sold.asked];
  const reply = await asked(place, sold);
  if (sales.some(isBelowZero)) {
    if (reply.status !== 400) refused(reply, "a seller below zero");
    return 1;
  }
  if (reply.status >= 300) refused(reply, sold.kind);
  const lines: Line[] = [];
  const paid = sold.kind === "purchase" ? sold.cards : [sold.paid];
  for (const [nth, id] of (await chargesOf(place, sold, reply.body.id)).entries()) {
    const sale = paid[nth];
    if (!sale) throw new Difference("more charges than cards");
    const { books, parts } = capture(sale);
    place.all.push(books);
    same(await receivablesOf(place, id), expectedReceivables(parts), "receivables");
    same(await booksOf(place, id), expectedBooks(books), "captured");
    lines.push({ id, kind: sold.kind, sale, books, late: await late(draws, id), told: ["captured"], isOver: false });
  }
  for (let step = 0; step < MOST_STEPS; step++) {
    const line = draws.pick(lines);
    line.told.push(await next(place, draws, line));
    const isGivenBack = line.kind === "purchase" && lines.every(({ books }) => remainingOf(books) === 0);
    if (isGivenBack && line.told.at(-1)?.startsWith("refund")) for (const one of lines) one.isOver = true;
    for (const one of lines) same(await booksOf(place, one.id), expectedBooks(one.books), one.told.join(", "));
  }
  return lines.length * (MOST_STEPS + 1);
}

/** Captured longer ago than one of the sellers gives anything back. */
async function late(draws: Draws, id: string): Promise<ReadonlySet<number>> {
  if (!draws.chance(0.15)) return new Set();
  await systemSql()`update charges set captured_at = captured_at - interval '10 days' where id = ${id}`;
  return new Set([LATE.seller]);
}

export function asked(place: Place, sold: Sold): Promise<Reply<{ id: string }>> {
  const { shop, cardId, customerId } = place;
  const { client, merchant } = shop;
  const card = { sourceType: "card", cardId };
  if (sold.kind === "purchase") {
    const payments = sold.cards.map(({ amount, installments }) => ({
      amount,
      paymentMethod: { paymentType: "credit", installments },
      paymentSource: card,
    }));
    const splitRules = sold.rules.map((rule) => askedRule(place, rule));
    const body = { merchantId: merchant.id, amount: sold.amount, capture: !sold.isHeld, payments, splitRules };
    return client.call("POST", "/v1/purchases", { body, idempotencyKey: aKey() });
  }
  const { amount, rules, installments } = sold.asked;
  const splitRules = rules.map((rule) => askedRule(place, rule));
  const common = { merchantId: merchant.id, amount, splitRules };
  const customer = { sourceType: "customer", customerId };
  const body = {
    card: {
      ...common,
      capture: !sold.isHeld,
      paymentMethod: { paymentType: "credit", installments },
      paymentSource: card,
    },
    pix: { ...common, paymentMethod: { paymentType: "pix", expiresIn: 3_600 }, paymentSource: customer },
    boleto: { ...common, paymentMethod: { paymentType: "boleto" }, paymentSource: customer },
  }[sold.kind];
  return client.call("POST", "/v1/charges", { body });
}

/** Once all of it is captured or paid, in the order of the cards. */
export async function chargesOf({ shop: { client } }: Place, sold: Sold, id: string): Promise<string[]> {
  if (sold.kind === "purchase") {
    await work(client);
    if (sold.isHeld) {
      const reply = await changePurchase(client, id, "capture");
      if (reply.status !== 202) refused(reply, "capture");
      await work(client);
    }
    const purchase: PurchaseReply = await readPurchase(client, id);
    if (purchase.status !== "paid") throw new Difference(`the purchase is ${purchase.status}`);
    return purchase.payments.map(({ chargeId = "" }) => chargeId);
  }
  const amount = sold.paid.captured;
  if (sold.isHeld) await client.make("POST", `/v1/charges/${id}/capture`, { body: { amount } });
  if (sold.kind === "pix") await client.make("POST", `/v1/sandbox/pix/${id}/pay`, { body: { amount } });
  if (sold.kind === "boleto") await client.make("POST", `/v1/sandbox/boletos/${id}/pay`, { body: { amount } });
  return [id];
}

/** Answers what was done. */
async function next(place: Place, draws: Draws, line: Line): Promise<string> {
  const { id, kind, books, late: tooLate } = line;
  const { shop, world, all, sellers } = place;
  const { client, merchant } = shop;
  const isDisputed = books.lost.length > 0;
  const remaining = remainingOf(books);
  const [isCard, isOpen] = [kind === "card" || kind === "purchase", !isDisputed && remaining > 0];
  const step = draws.weighted([
    ["refund", isOpen && kind !== "boleto" ? 5 : 0],
    ["chargeback", isOpen && isCard ? 2 : 0],
    ["med", isOpen && kind === "pix" ? 2 : 0],
    ["won", isDisputed ? 5 : 0],
    ["release", 2],
  ] as const);
  if (step === "release") {
    await releaseDue(await client.context(), merchant.id, "2999-12-31");
    for (const each of all) release(world, each);
    return step;
  }
  if (step === "won") {
    await client.make("POST", `/v1/sandbox/charges/${id}/chargeback/reverse`, { body: {} });
    won(world, books);
    if (!line.isOver) return step;
    refund(world, books, remainingOf(books), { late: tooLate });
    return "won and given back";
  }
  const amount = draws.chance(0.3) ? remaining : draws.between(1, remaining);
  if (step === "chargeback") {
    await client.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: { amount } });
    chargeback(world, books, amount);
    return `chargeback ${amount}`;
  }
  if (step === "med") {
    await client.make("POST", `/v1/sandbox/pix/${id}/med`, { body: { amount } });
    takenByBank(world, books, amount);
    return `med ${amount}`;
  }
  const named = draws.chance(0.3) ? drawnParts(draws, books, amount) : undefined;
  const parts = [...(named ?? [])].filter(([seller]) => !tooLate.has(seller));
  const byRule = parts.length > 0 ? new Map(parts) : undefined;
  const splitRules = parts.map(([seller, part]) => ({ sellerId: sellers[seller], amount: part }));
  const reply: Reply<ChargeReply> = await voidIt(client, id, { amount, ...(byRule ? { splitRules } : {}) });
  const told = `refund ${amount}${byRule ? ` by rule ${JSON.stringify(parts)}` : ""}${tooLate.size > 0 ? " late" : ""}`;
  if (reply.error) refused(reply, told);
  refund(world, books, amount, { byRule, late: tooLate });
  return told;
}

/** What sellers have in all, once a place is left: what no step of a single charge shows. */
export async function sumUp({ shop: { merchant }, sellers, world }: Place): Promise<void> {
  const rows = await systemSql()<{ seller: string; balance: number }[]>`
    select a.seller_id as seller, sum(p.amount)::float8 as balance
      from postings p join ledger_accounts a on a.id = p.account_id
     where a.merchant_id = ${merchant.id} and a.kind = 'seller_available' group by 1 having sum(p.amount) <> 0`;
  const found = Object.fromEntries(rows.map(({ seller, balance }) => [sellers.indexOf(seller), -balance]));
  const expected = [...world.available].filter(([party, amount]) => party >= 0 && amount !== 0);
  same(found, Object.fromEntries(expected), "available in all");
}
