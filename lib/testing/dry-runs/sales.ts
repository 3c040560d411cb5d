import { randomUUID } from "node:crypto";
import type { DryRun } from "@/lib/dry-runs/service";
import { routeOf } from "@/lib/testing/dry-runs/booked";
import { expectSame, type Place, partOf, planned, really, same, splitRulesOf } from "@/lib/testing/dry-runs/place";
import { cardData, newCustomer, openCustomer, openToken } from "@/lib/testing/payments";
import { openSession } from "@/lib/testing/sessions";
import type { Draws } from "@/lib/testing/simulator/seeded";

interface Paid {
  id: string;
  status: string;
  responsibleProviderType: string | null;
}

const BRANDS = ["visa", "mastercard", "elo"] as const;

export const aCard = async ({ shop }: Place, draws: Draws): Promise<Record<string, unknown>> => {
  const tokenId = await openToken(shop.client, cardData("approve", draws.pick(BRANDS)));
  if (draws.chance(0.7)) return { sourceType: "token", tokenId };
  const { id } = await shop.client.make("POST", "/v1/cards", { body: { tokenId } });
  return { sourceType: "card", cardId: id };
};

/** Now and then what nobody may ask for. */
function spoiled(draws: Draws, body: Record<string, unknown>): Record<string, unknown> {
  if (!draws.chance(0.08)) return body;
  return {
    ...body,
    ...draws.pick<Record<string, unknown>>([
      { amount: 0 },
      { merchantId: randomUUID() },
      { paymentMethod: { paymentType: "credit", installments: 25 } },
      { paymentSource: { sourceType: "token", tokenId: randomUUID() } },
      { splitRules: [{ sellerId: randomUUID(), percentage: 10 }] },
      { splitRules: [{ sellerId: "nobody", percentage: 10 }] },
    ]),
  };
}

/** A payment by card and what becomes of it. */
export async function bySingleCard(place: Place, draws: Draws): Promise<void> {
  const amount = draws.between(1_000, 91_000);
  const splitRules = splitRulesOf(place, draws, amount);
  const body = spoiled(draws, {
    merchantId: place.shop.merchant.id,
    amount,
    capture: draws.chance(0.5),
    paymentMethod: { paymentType: "credit", installments: draws.between(1, 12) },
    paymentSource: await aCard(place, draws),
    ...(splitRules.length > 0 ? { splitRules } : {}),
  });
  const dry = await planned(place, { operation: splitRules.length > 0 ? "split" : "charge", body });
  const made = await really<Paid>(place, draws, dry, "/v1/charges", body);
  if (made) await thenChanged(place, draws, await expectPaid(place, dry, made.body), amount);
}

/** Through a payment link, whose own rules share it. */
export async function byLink(place: Place, draws: Draws): Promise<void> {
  const { shop } = place;
  const amount = draws.between(1_000, 91_000);
  const splitRules = splitRulesOf(place, draws, amount);
  const session = await openSession(shop, {
    capture: draws.chance(0.5),
    paymentMethods: [
      { paymentType: "credit", installments: draws.between(1, 12) },
      { paymentType: "pix", expiresIn: 3_600 },
    ],
    items: [{ name: "Tênis", unitPrice: amount, quantity: 1, tangible: true }],
    ...(draws.chance(0.4) ? { multiplePayments: { allow: true, maxPayments: draws.between(1, 3) } } : {}),
    ...(splitRules.length > 0 ? { splitRules } : {}),
  });
  const isCard = draws.chance(0.7);
  const { address: _address, ...customer } = newCustomer();
  const body = isCard
    ? {
        paymentMethod: { paymentType: "credit", installments: draws.between(1, 12) },
        paymentSource: await aCard(place, draws),
      }
    : { paymentMethod: { paymentType: "pix" }, paymentSource: { sourceType: "customer", customer } };
  await place.news();
  const dry = await planned(place, { operation: splitRules.length > 0 ? "split" : "charge", id: session.id, body });
  const made = await really<Paid>(place, draws, dry, `/v1/sessions/${session.id}/charge`, body);
  if (!made) return;
  if (!isCard) await shop.client.make("POST", `/v1/sandbox/pix/${made.body.id}/pay`, { body: {} });
  await thenChanged(place, draws, await expectPaid(place, dry, await read(place, made.body.id)), amount);
}

/** Offered, and paid by its buyer or closed. */
export async function byCode(place: Place, draws: Draws): Promise<void> {
  const { client, merchant } = place.shop;
  const amount = draws.between(1_000, 91_000);
  const splitRules = splitRulesOf(place, draws, amount);
  const isPix = draws.chance(0.7);
  const body = {
    merchantId: merchant.id,
    amount,
    paymentMethod: isPix ? { paymentType: "pix", expiresIn: 3_600 } : { paymentType: "boleto" },
    paymentSource: { sourceType: "customer", customerId: await openCustomer(client) },
    ...(splitRules.length > 0 ? { splitRules } : {}),
  };
  const dry = await planned(place, { operation: "charge", body });
  const made = await really<Paid>(place, draws, dry, "/v1/charges", body);
  if (!made) return;
  const isPaid = isPix && draws.chance(0.75);
  if (isPaid) {
    await client.make("POST", `/v1/sandbox/pix/${made.body.id}/pay`, { body: {} });
    await expectPaid(place, dry, await read(place, made.body.id));
  } else {
    const real = await place.news();
    same("offered", [real.events, real.journals], [["transaction.pending"], []]);
  }
  await thenChanged(place, draws, { ...made.body, status: isPaid ? "authorized" : "pending" }, amount);
}

const read = ({ shop }: Place, id: string): Promise<Paid> => shop.client.make<Paid>("GET", `/v1/charges/${id}`);

async function expectPaid(place: Place, { plan }: DryRun, charge: Paid): Promise<Paid> {
  const { flow, provider } = await routeOf(charge.id);
  const [first] = plan.providers;
  same(
    "the route",
    {
      status: plan.status,
      type: first?.type,
      id: first?.id,
      flow: plan.flow,
      analyst: plan.analyst,
      slots: plan.slots,
    },
    { status: charge.status, type: charge.responsibleProviderType, id: provider, flow, analyst: null, slots: [] },
  );
  // A flow decides who comes, the merchant's own order who comes first otherwise.
  const { providers } = place;
  const ids = plan.providers.map(({ id }) => id);
  same("providers", [...ids].sort(), flow ? ids.filter((id) => providers.includes(id)).sort() : [...providers].sort());
  if (!flow) same("their order", ids, providers);
  expectSame(plan, await place.news());
  return charge;
}

/** Captures, releases and refunds, some of more than there is. */
export async function thenChanged(place: Place, draws: Draws, charge: Paid, amount: number): Promise<void> {
  let { status } = charge;
  let left = amount;
  for (let steps = draws.between(1, 3); steps > 0; steps--) {
    const operation = status === "pre_authorized" && draws.chance(0.6) ? "capture" : "void";
    // A hold is released whole; what is asked of one that is not is a refusal to be planned.
    const isPart = draws.chance(status === "pre_authorized" && operation === "void" ? 0.15 : 0.6);
    const body = isPart ? { amount: partOf(draws, draws.chance(0.1) ? amount * 2 : amount, left) } : {};
    const dry = await planned(place, { operation, id: charge.id, body });
    const done = await really<Paid>(place, draws, dry, `/v1/charges/${charge.id}/${operation}`, body);
    if (!done) continue;
    const { provider } = await routeOf(charge.id);
    same(
      "the change",
      { status: dry.plan.status, providers: dry.plan.providers.map(({ id }) => id) },
      { status: done.body.status, providers: [provider] },
    );
    expectSame(dry.plan, await place.news());
    status = done.body.status;
    if (body.amount) left = operation === "capture" ? body.amount : left - body.amount;
    if (status === "voided" || status === "canceled") return;
  }
}
