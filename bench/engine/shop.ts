import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { headersOf, openShop, type Shop } from "@/bench/charges/shop";
import { PORTS } from "@/bench/engine/world";
import { call } from "@/bench/purchases/shop";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { type SandboxOutcome, sandboxPan } from "@/lib/reference/sandbox-pans";
import { unfoundedFailures } from "@/lib/testing/proofs/process-kills/judge";
import { createToken } from "@/lib/tokens/service";
import { createWebhook } from "@/lib/webhooks/service";

export interface EngineShop extends Shop {
  cards: Readonly<Record<"approve" | "decline:generic", string>>;
}

export interface Bought {
  id: string;
  /** When it was answered with 202. */
  at: number;
  expected: "paid" | "failed";
}

const CENTS = 3_500;

export async function openEngineShop(endpoint: string): Promise<EngineShop> {
  const shop = await openShop();
  const ctx = systemContext(await loadAccount(shop.clientId), newId());
  await inTransaction(ctx, (inside) => createWebhook(inside, { event: "*", endpoint, version: 1.1, status: true }));
  const card = async (outcome: SandboxOutcome): Promise<string> => {
    const { tokenId } = await createToken(ctx, {
      kind: "card",
      card: {
        cardHolderName: "Ana Souza",
        cardNumber: sandboxPan(outcome, "visa"),
        cardCvv: "120",
        cardExpirationDate: "12/2031",
      },
    });
    return (await call<{ id: string }>(shop, "/v1/cards", { tokenId })).id;
  };
  return { ...shop, cards: { approve: await card("approve"), "decline:generic": await card("decline:generic") } };
}

/** Two or three cards, one in seven with a card that is declined; asked again, with its key, until it is answered. */
export async function buy(shop: EngineShop, number: number, limitMs = 30_000): Promise<Bought> {
  const cards = 2 + (number % 2);
  const isDeclined = number % 7 === 6;
  const outcomes = Array.from({ length: cards }, (_, index) =>
    isDeclined && index === cards - 1 ? ("decline:generic" as const) : ("approve" as const),
  );
  const body = JSON.stringify({
    merchantId: shop.merchantId,
    amount: CENTS * cards,
    capture: true,
    orderId: `engine-${number}`,
    payments: outcomes.map((outcome) => ({
      amount: CENTS,
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "card", cardId: shop.cards[outcome] },
    })),
  });
  const headers = { ...headersOf(shop), "x-idempotency-key": randomUUID() };
  const until = performance.now() + limitMs;
  for (let attempt = number; performance.now() < until; attempt++) {
    try {
      const port = PORTS.web[attempt % PORTS.web.length];
      const reply = await fetch(`http://127.0.0.1:${port}/v1/purchases`, {
        method: "POST",
        headers,
        body,
        signal: AbortSignal.timeout(10_000),
      });
      const { id } = (await reply.json()) as { id: string };
      if (reply.status === 202) return { id, at: performance.now(), expected: isDeclined ? "failed" : "paid" };
      if (reply.status < 500 && reply.status !== 409) throw new Refused(`purchase ${number}: ${reply.status}`);
    } catch (thrown) {
      if (thrown instanceof Refused) throw thrown;
    }
    await sleep(100);
  }
  throw new Error(`purchase ${number} was not accepted`);
}

class Refused extends Error {}

const PIX_SECONDS = 30;

/** A Pix that nobody pays: its end is the worker's alone. */
export async function offerPix(shop: EngineShop): Promise<string> {
  const customer = await call<{ id: string }>(shop, "/v1/customers?force=true", {
    name: "Ana Souza",
    email: "ana@example.com",
    phoneNumber: "+55 11 99999-0000",
    document: { type: "cpf", number: "52998224725", country: "BR" },
  });
  const { id } = await call<{ id: string }>(shop, "/v1/charges", {
    merchantId: shop.merchantId,
    amount: CENTS,
    orderId: "engine-pix",
    paymentMethod: { paymentType: "pix", expiresIn: PIX_SECONDS },
    paymentSource: { sourceType: "customer", customerId: customer.id },
  });
  return id;
}

/** How many seconds after its code's end a Pix ended; undefined while it is open. */
export async function pixEndedAfter(id: string): Promise<number | undefined> {
  const [row] = await systemSql()<{ seconds: number }[]>`
    select extract(epoch from max(e.created_at) - c.created_at)::float8 - ${PIX_SECONDS} as seconds
      from charges c join events e on e.entity_id = c.id
     where c.id = ${id} and c.status <> 'pending' group by c.id`;
  return row?.seconds;
}

/** So many a second for so long; what a purchase waits for does not slow the next. Whoever awaits it later hears what failed. */
export function buyAtPace(shop: EngineShop, perSecond: number, seconds: number, first = 0): Promise<Bought[]> {
  const bought = boughtAtPace(shop, perSecond, seconds, first);
  bought.catch(() => undefined);
  return bought;
}

async function boughtAtPace(shop: EngineShop, perSecond: number, seconds: number, first: number): Promise<Bought[]> {
  const began = performance.now();
  const buying: Promise<Bought>[] = [];
  for (let index = 0; index < perSecond * seconds; index++) {
    const wait = began + (index * 1_000) / perSecond - performance.now();
    if (wait > 0) await sleep(wait);
    const one = buy(shop, first + index);
    one.catch(() => undefined);
    buying.push(one);
  }
  return Promise.all(buying);
}

export interface Ends {
  /** Milliseconds from acceptance to the end, as the database wrote both, in order. */
  ms: number[];
  wrong: string[];
  /** Failed where paid was expected, and the simulator, which dies with its process, never had the card. */
  neverThere: number;
  pending: number;
}

/** Waits until all have ended, or the time is over. */
export async function endsOf(bought: readonly Bought[], limitMs: number): Promise<Ends> {
  const until = performance.now() + limitMs;
  const ids = bought.map(({ id }) => id);
  while (performance.now() < until) {
    const [row] = await systemSql()<{ open: number }[]>`
      select count(*)::int as open from purchases where id = any(${ids}::uuid[]) and status = 'pending'`;
    if (row?.open === 0) break;
    await sleep(250);
  }
  const rows = await systemSql()<{ id: string; status: string; ms: number | null }[]>`
    select p.id, p.status, extract(epoch from min(e.created_at) - p.created_at)::float8 * 1000 as ms
      from purchases p left join events e on e.entity_id = p.id and e.event in ('paid', 'failed')
     where p.id = any(${ids}::uuid[]) group by p.id`;
  const expected = new Map(bought.map((one) => [one.id, one.expected]));
  const other = rows.filter(({ id, status }) => status !== "pending" && status !== expected.get(id));
  const failed = other.filter(({ status }) => status === "failed").map(({ id }) => id);
  const unfounded = await unfoundedFailures(failed);
  const wrong = [
    ...other.filter(({ status }) => status !== "failed").map(({ id, status }) => `${id}: ${status}`),
    ...unfounded,
  ];
  const neverThere = failed.filter((id) => !unfounded.some((line) => line.startsWith(id))).length;
  const ms = rows.flatMap((row) => (row.ms === null ? [] : [row.ms])).sort((a, b) => a - b);
  return { ms, wrong, neverThere, pending: rows.filter(({ status }) => status === "pending").length };
}
