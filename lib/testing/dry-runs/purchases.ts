import { purchasePlanFor } from "@/lib/dry-runs/operator";
import { routeOf } from "@/lib/testing/dry-runs/booked";
import {
  expectSame,
  expectSameTogether,
  type Place,
  partOf,
  planned,
  really,
  same,
  splitRulesOf,
  watched,
} from "@/lib/testing/dry-runs/place";
import { aCard } from "@/lib/testing/dry-runs/sales";
import { type PurchaseReply, readPurchase, work } from "@/lib/testing/purchases";
import { openSession } from "@/lib/testing/sessions";
import type { Draws } from "@/lib/testing/simulator/seeded";

const MOST_INSTALLMENTS = 12;

/** An order on two or three cards, as the API plans it, and its changes as a person sees them before they confirm. */
export async function bySeveralCards(place: Place, draws: Draws): Promise<void> {
  const { client, merchant } = place.shop;
  const amounts = Array.from({ length: draws.between(2, 3) }, () => draws.between(1_000, 30_000));
  const amount = amounts.reduce((sum, one) => sum + one, 0);
  const capture = draws.chance(0.6);
  const rules = splitRulesOf(place, draws, amount);
  const session = draws.chance(0.3)
    ? await openSession(place.shop, {
        capture,
        paymentMethods: [{ paymentType: "credit", installments: MOST_INSTALLMENTS }],
        items: [{ name: "Tênis", unitPrice: amount, quantity: 1, tangible: true }],
        ...(rules.length > 0 ? { splitRules: rules } : {}),
      })
    : undefined;
  const payments = [];
  for (const part of amounts) {
    payments.push({
      amount: part,
      paymentMethod: { paymentType: "credit", installments: draws.between(1, MOST_INSTALLMENTS) },
      paymentSource: await aCard(place, draws),
    });
  }
  const body = {
    merchantId: merchant.id,
    // One cent more than its cards, now and then.
    amount: draws.chance(0.06) ? amount + 1 : amount,
    capture,
    payments,
    ...(session ? { sessionId: session.id } : rules.length > 0 ? { splitRules: rules } : {}),
  };
  await place.news();
  const dry = await planned(place, { operation: "purchase", body });
  const made = await really<PurchaseReply>(place, draws, dry, "/v1/purchases", body);
  if (!made) return;
  await work(client);
  const purchase = await readPurchase(client, made.body.id);
  const real = await place.news();
  const first = await Promise.all(purchase.payments.map(({ chargeId }) => routeOf(chargeId ?? "")));
  same(
    "the purchase",
    { status: dry.plan.status, flow: dry.plan.flow },
    { status: purchase.status, flow: first.at(-1)?.flow ?? null },
  );
  same(
    "slots",
    dry.plan.slots.map((slot) => [slot.slotIndex, slot.amount, slot.providers[0], slot.refusal]),
    purchase.payments.map((slot, index) => [slot.slotIndex, slot.amount, first[index]?.provider, null]),
  );
  expectSame(dry.plan, real);
  await thenChanged(place, draws, purchase);
}

async function thenChanged(place: Place, draws: Draws, purchase: PurchaseReply): Promise<void> {
  const { client } = place.shop;
  if (purchase.status === "paid" && draws.chance(0.6)) await refundedInPart(place, draws, purchase);
  const action = purchase.status === "paid" ? "refund" : draws.chance(0.5) ? "capture" : "release";
  const context = await client.context();
  const dry = await watched(place, async () => {
    const plan = await purchasePlanFor(context, "owner", purchase.id, action);
    if (!plan) throw new Error(`no plan of ${action}`);
    return plan;
  });
  const call = action === "capture" ? "capture" : "void";
  if (!(await really(place, draws, dry, `/v1/purchases/${purchase.id}/${call}`, {}, "free"))) return;
  await work(client);
  expectSameTogether(dry.plan, await place.news());
}

async function refundedInPart(place: Place, draws: Draws, purchase: PurchaseReply): Promise<void> {
  const { client } = place.shop;
  const slot = draws.pick(purchase.payments);
  const id = slot.chargeId ?? "";
  const body = draws.chance(0.3)
    ? {}
    : { amount: partOf(draws, slot.amount + (draws.chance(0.1) ? 1_000 : 0), slot.amount) };
  const dry = await planned(place, { operation: "void", id, body });
  const done = await really<{ id: string; status: string }>(place, draws, dry, `/v1/charges/${id}/void`, body);
  if (!done) return;
  await work(client);
  same("the status", dry.plan.status, done.body.status);
  expectSame(dry.plan, await place.news());
}
