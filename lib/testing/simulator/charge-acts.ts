import type { Reply } from "@/lib/testing/api-client";
import type { Act, OrderGiven } from "@/lib/testing/simulator/orders";
import type { Shop } from "@/lib/testing/simulator/shop";
import { sharedBy } from "@/lib/testing/simulator/splits";
import { acting, START_MS } from "@/lib/testing/simulator/virtual";

interface ChargeReply {
  id: string;
  status: string;
  amount: number;
}

const SECOND_MS = 1_000;
const LATER_SECONDS = [1, 2, 7, 60, 95, 600, 3_600, 86_400, 4 * 86_400, 6 * 86_400] as const;
const LEAST_CENTS = 100;
const MOST_CENTS = 90_000;
const PIX_SECONDS = [300, 3_600, 86_400] as const;
const BOLETO_DUE = ["2026-03-04", "2026-03-06", "2026-03-09"] as const;

const later = ({ draws }: OrderGiven): number =>
  START_MS + draws.pick(LATER_SECONDS) * SECOND_MS + draws.between(0, 900);

/** A refusal is an answer; only what says that we failed is wrong. The client of a dead process gets nothing. */
function mustBe({ failures }: OrderGiven, act: string, reply: Reply<unknown>): boolean {
  if (reply.status < 500) return reply.status < 300;
  if (!acting.getStore()?.isDead) failures.push(`${act} answered ${reply.status}: ${reply.text.slice(0, 200)}`);
  return false;
}

/** One card: paid or held, repeated with its key, captured, given back in parts, sometimes twice at once. */
export function cardActs(given: OrderGiven, shop: Shop): Act[] {
  const { draws } = given;
  const capture = draws.chance(0.5);
  const amount = draws.between(LEAST_CENTS, MOST_CENTS);
  const { create, change } = chargeOf(given, shop, {
    merchantId: shop.merchantId,
    amount,
    capture,
    orderId: given.orderId,
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "card", cardId: draws.pick(shop.cardIds) },
    ...sharedBy(given, shop, [amount]),
  });
  const acts: Act[] = [{ atMs: START_MS, name: "charge", run: create }];
  const add = (probability: number, name: string, run: () => Promise<void>, atMs = later(given)): void => {
    if (draws.chance(probability)) acts.push({ atMs, name, run });
  };
  add(0.25, "charge again", create);
  add(0.1, "charge again at once", create, START_MS);
  if (!capture) add(0.7, "capture the charge", change("capture", { amount }));
  add(0.4, "void the charge", change("void", {}));
  add(0.25, "part of a refund", change("void", { amount: draws.between(1, amount) }));
  const both = later(given);
  if (draws.chance(0.25)) {
    add(1, "capture the charge beside a void", change("capture", { amount }), both);
    add(1, "void the charge beside a capture", change("void", {}), both);
  }
  return acts;
}

/** A Pix or a boleto: made, repeated, cancelled or given back. Who pays it, and when, the provider's script says. */
export const openActs =
  (paymentType: "pix" | "boleto") =>
  (given: OrderGiven, shop: Shop): Act[] => {
    const { draws } = given;
    const amount = draws.between(LEAST_CENTS * 10, MOST_CENTS);
    const paymentMethod =
      paymentType === "pix"
        ? { paymentType, expiresIn: draws.pick(PIX_SECONDS) }
        : { paymentType, expiresDate: draws.pick(BOLETO_DUE) };
    const { create, change } = chargeOf(given, shop, {
      merchantId: shop.merchantId,
      amount,
      orderId: given.orderId,
      paymentMethod,
      paymentSource: { sourceType: "customer", customerId: shop.customerId },
      ...sharedBy(given, shop, [amount]),
    });
    const acts: Act[] = [{ atMs: START_MS, name: paymentType, run: create }];
    if (draws.chance(0.3)) acts.push({ atMs: later(given), name: `${paymentType} again`, run: create });
    if (draws.chance(0.35)) acts.push({ atMs: later(given), name: `void the ${paymentType}`, run: change("void", {}) });
    if (draws.chance(0.2)) {
      const part = change("void", { amount: draws.between(1, amount) });
      acts.push({ atMs: later(given), name: `part of the ${paymentType} back`, run: part });
    }
    return acts;
  };

/** A link for one payment, and buyers who meet on it: two cards at once, or a card and a Pix. */
export function linkActs(given: OrderGiven, shop: Shop): Act[] {
  const { draws, name, orderId } = given;
  const amount = draws.between(LEAST_CENTS * 10, MOST_CENTS);
  let id: string | undefined;
  const open = async (): Promise<void> => {
    const body = {
      merchantId: shop.merchantId,
      name: "Pedido",
      orderId,
      createLink: true,
      paymentMethods: [
        { paymentType: "credit", installments: 1 },
        { paymentType: "pix", expiresIn: 3_600 },
      ],
      items: [{ name: "Item", unitPrice: amount, quantity: 1, tangible: true }],
      ...sharedBy(given, shop, [amount]),
    };
    const reply = await shop.call<{ id: string }>("POST", "/v1/sessions", { body, idempotencyKey: `link-${name}` });
    if (mustBe(given, "link", reply)) id = reply.body.id;
  };
  const pay = (buyer: number, paymentType: "credit" | "pix") => async (): Promise<void> => {
    if (id === undefined) return;
    const paymentSource =
      paymentType === "credit"
        ? { sourceType: "card", cardId: shop.cardIds[buyer % shop.cardIds.length] }
        : { sourceType: "customer", customerId: shop.customerId };
    const paymentMethod = paymentType === "credit" ? { paymentType, installments: 1 } : { paymentType };
    const reply = await shop.call("POST", `/v1/sessions/${id}/charge`, {
      body: { paymentMethod, paymentSource },
      idempotencyKey: `pay-${name}-${buyer}`,
    });
    mustBe(given, "payment of a link", reply);
  };
  const both = START_MS + draws.between(SECOND_MS, 60 * SECOND_MS);
  const acts: Act[] = [
    { atMs: START_MS, name: "link", run: open },
    { atMs: both, name: "a buyer pays", run: pay(1, "credit") },
  ];
  if (draws.chance(0.6)) acts.push({ atMs: both, name: "another buyer pays", run: pay(2, "credit") });
  if (draws.chance(0.3)) acts.push({ atMs: later(given), name: "a buyer takes a Pix", run: pay(3, "pix") });
  if (draws.chance(0.2)) acts.push({ atMs: later(given), name: "the buyer asks again", run: pay(1, "credit") });
  return acts;
}

/** Asks for one charge, with one key however often, and changes what came of it. */
function chargeOf(given: OrderGiven, shop: Shop, body: Record<string, unknown>) {
  const { name, failures } = given;
  let first: string | undefined;
  let changes = 0;
  const create = async (): Promise<void> => {
    const reply = await shop.call<ChargeReply>("POST", "/v1/charges", { body, idempotencyKey: `charge-${name}` });
    if (!mustBe(given, "charge", reply)) return;
    if (first !== undefined && first !== reply.body.id) failures.push("I1: the same key got another charge");
    first ??= reply.body.id;
  };
  const change = (verb: "capture" | "void", asked: Record<string, unknown>) => {
    changes += 1;
    const idempotencyKey = `${verb}-${name}-${changes}`;
    return async (): Promise<void> => {
      if (first === undefined) return;
      const reply = await shop.call("POST", `/v1/charges/${first}/${verb}`, { body: asked, idempotencyKey });
      mustBe(given, `${verb} of a charge`, reply);
    };
  };
  return { create, change };
}
