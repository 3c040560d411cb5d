import type { Reply } from "@/lib/testing/api-client";
import { cardActs, linkActs, openActs } from "@/lib/testing/simulator/charge-acts";
import { type Act, isSplit, kindsOf, type OrderGiven, type OrderKind, orderOf } from "@/lib/testing/simulator/orders";
import { drawsFor } from "@/lib/testing/simulator/seeded";
import type { Shop } from "@/lib/testing/simulator/shop";
import { sharedBy } from "@/lib/testing/simulator/splits";
import { acting, START_MS } from "@/lib/testing/simulator/virtual";
import type { World } from "@/lib/testing/simulator/world";

interface PurchaseReply {
  id: string;
  payments: { chargeId?: string; amount: number }[];
}

const SECOND_MS = 1_000;
const LATER_SECONDS = [1, 2, 7, 60, 95, 600, 3_600, 86_400, 4 * 86_400, 6 * 86_400, 7 * 86_400] as const;
const LEAST_CENTS = 100;
const MOST_CENTS = 90_000;
/** Orders for a merchant that is not this client's: accepted, and then failed (row S3). */
const STRANGERS = 0.02;
const UNKNOWN_MERCHANT = "7f3f0c1e-5d0e-4b77-9a43-0d6f3c1b2a90";
const REFUSED_BUSY = [404, 409];

/** What clients do: each order by itself, all of them at the same time. */
export const actsOf = (world: World, shop: Shop): Act[] =>
  kindsOf(world.seed)
    .flatMap((kind, nth) => ACTS[kind](orderOfWorld(world, nth), shop))
    .sort((a, b) => a.atMs - b.atMs);

const orderOfWorld = ({ seed, draws, failures }: World, nth: number): OrderGiven => ({
  name: nth === 0 ? String(seed) : `${seed}-${nth}`,
  orderId: orderOf(seed, nth),
  draws: nth === 0 ? draws : drawsFor(`schedule ${seed} order ${nth}`),
  failures,
  isSplit: isSplit(seed),
});

const ACTS: Record<OrderKind, (given: OrderGiven, shop: Shop) => Act[]> = {
  purchase: purchaseActs,
  card: cardActs,
  pix: openActs("pix"),
  boleto: openActs("boleto"),
  link: linkActs,
};

/** A purchase, then what people do afterwards, sometimes twice at once. */
function purchaseActs(given: OrderGiven, shop: Shop): Act[] {
  const { name, orderId, draws, failures } = given;
  const cards = draws.between(2, 3);
  const capture = draws.chance(0.55);
  const payments = Array.from({ length: cards }, (_, index) => ({
    amount: draws.between(LEAST_CENTS, MOST_CENTS),
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "card", cardId: shop.cardIds[index] ?? "" },
  }));
  const isStranger = drawsFor(`merchant ${name}`).chance(STRANGERS);
  const body = {
    merchantId: isStranger ? UNKNOWN_MERCHANT : shop.merchantId,
    amount: payments.reduce((sum, { amount }) => sum + amount, 0),
    capture,
    orderId,
    payments,
    // Nobody's sellers are of that merchant: with them the order would be refused.
    ...(isStranger
      ? {}
      : sharedBy(
          given,
          shop,
          payments.map(({ amount }) => amount),
        )),
  };
  let first: string | undefined;
  let id: string | undefined;
  let charges: string[] = [];
  const wrong = (act: string, { status, text }: Reply<unknown>) => {
    // The process that answers is gone: its client gets nothing.
    if (!acting.getStore()?.isDead) failures.push(`${act} answered ${status}: ${text.slice(0, 200)}`);
  };

  const create = async (): Promise<void> => {
    const reply = await shop.call<PurchaseReply>("POST", "/v1/purchases", {
      body,
      idempotencyKey: `create-${name}`,
    });
    if (reply.status !== 202) return void wrong("create", reply);
    if (first !== undefined && first !== reply.text) failures.push("I1: the same key got other bytes");
    first ??= reply.text;
    id = reply.body.id;
  };
  const read = async (): Promise<void> => {
    if (id === undefined) return;
    const reply = await shop.call<PurchaseReply>("GET", `/v1/purchases/${id}`);
    if (reply.status !== 200) return void wrong("read", reply);
    charges = reply.body.payments.flatMap(({ chargeId }) => chargeId ?? []);
  };
  const change = (verb: "capture" | "void", nth: number) => async (): Promise<void> => {
    if (id === undefined) return;
    const reply = await shop.call("POST", `/v1/purchases/${id}/${verb}`, {
      body: {},
      idempotencyKey: `${verb}-${name}-${nth}`,
    });
    if (reply.status !== 202 && !REFUSED_BUSY.includes(reply.status)) wrong(verb, reply);
  };
  const refundPart = (card: number, cents: number) => async (): Promise<void> => {
    await read();
    const chargeId = charges[card];
    if (!chargeId) return;
    const amount = Math.min(cents, payments[card]?.amount ?? cents);
    const reply = await shop.call("POST", `/v1/charges/${chargeId}/void`, { body: { amount } });
    if (reply.status >= 500 || (reply.status >= 400 && ![400, ...REFUSED_BUSY].includes(reply.status)))
      wrong("partial refund", reply);
  };

  const acts: Act[] = [{ atMs: START_MS, name: "create", run: create }];
  const at = (): number => START_MS + draws.pick(LATER_SECONDS) * SECOND_MS + draws.between(0, 900);
  const add = (probability: number, name: string, run: () => Promise<void>, atMs = at()): void => {
    if (draws.chance(probability)) acts.push({ atMs, name, run });
  };
  add(0.25, "create again", create);
  add(0.1, "create again at once", create, START_MS);
  if (!capture) add(0.7, "capture", change("capture", 1));
  add(0.4, "void", change("void", 1));
  add(0.2, "part of a refund", refundPart(draws.between(0, cards - 1), draws.between(1, MOST_CENTS)));
  add(0.1, "part of a refund", refundPart(draws.between(0, cards - 1), draws.between(1, MOST_CENTS)));
  const both = at();
  if (draws.chance(0.2)) {
    add(1, "capture beside a void", change("capture", 2), both);
    add(1, "void beside a capture", change("void", 2), both);
  }
  return acts;
}
