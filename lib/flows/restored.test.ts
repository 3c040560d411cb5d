import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { inSnapshot } from "@/lib/context";
import { sourcesOf } from "@/lib/flows/family";
import { costsOfSpan } from "@/lib/flows/provider-costs";
import { healthOfProviders } from "@/lib/flows/provider-health";
import { listChanges, versionOf } from "@/lib/flows/queries";
import { restoreFlow } from "@/lib/flows/service";
import { tallyOf } from "@/lib/flows/tally";
import { forgetMeasures, measuresFor } from "@/lib/payments/routing/measures";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";
import { openSellers } from "@/lib/testing/sellers";

const sql = systemSql();

async function activeFlow() {
  const shop = await withMerchant(await openClient());
  const { id: merchantId, providerId } = shop.merchant;
  const { id } = await shop.client.make<{ id: string }>("POST", "/v1/flows", {
    body: {
      name: "Cards",
      paymentMethod: "credit",
      merchantId,
      status: "active",
      flow: { root: [{ rule: "provider", id: providerId }] },
    },
  });
  return { shop, id, merchantId, providerId, ctx: await shop.client.context() };
}

test("a restored version knows its source, and why it was restored is in the history and the audit log", async () => {
  const { id, merchantId, ctx } = await activeFlow();
  const note = "the newer one declined too much";
  const restored = await restoreFlow(ctx, id, merchantId, { note });
  const { sources, changes } = await inSnapshot(ctx, async (inside) => ({
    sources: await sourcesOf(inside, [restored.id, id]),
    changes: await listChanges(inside, id, { page: 1, limit: 1, order: "desc" }),
  }));
  expect([...sources].map(([of, source]) => [of, source.id, versionOf(source)])).toEqual([[restored.id, id, "1.0.0"]]);
  expect(changes.items).toMatchObject([{ action: "restored", version: "2.0.0", note }]);
  const logged = await sql`select reason from audit_log where object_id = ${restored.id} and action = 'flow.restored'`;
  expect(logged).toMatchObject([{ reason: note }]);
});

test("a cost is unknown until the provider settled, and then what it kept, never what sellers pay", {
  timeout: 60_000,
}, async () => {
  const { shop, id, merchantId, providerId } = await activeFlow();
  const [sellerId = ""] = await openSellers(shop.client, merchantId, 1, { fareMdr: 8, fareFee: 37 });
  const changes = { splitRules: [{ sellerId, percentage: 60, processingFee: true, liable: true }] };
  const { body } = await payByCard(shop, { amount: 10_000, capture: true, changes });
  const [decided] = await sql<{ facts: { brand?: string; installments: number } }[]>`
    select facts from routing_decisions where charge_id = ${body.id}`;
  const best = { rule: "best", id: "b1", ids: [providerId], by: "cost", window: 200, explore: 0, minimum: 1 } as const;
  const told = async () => {
    forgetMeasures();
    const ctx = await shop.client.context();
    return inSnapshot(ctx, async (inside) => [
      (await tallyOf(inside, id)).providers[0]?.cost,
      (await healthOfProviders(inside)).get(providerId)?.cost,
      (await costsOfSpan(inside, { since: new Date(0), until: new Date("2100-01-01") })).get(providerId) ?? null,
      decided &&
        ((await measuresFor(inside, { flow: { id, version: "1", family: id, root: [best] } }, decided.facts))?.b1?.[
          providerId
        ]?.value ??
          null),
    ]);
  };
  const [fees] = await sql`select sum(fee)::int as paid from receivables where charge_id = ${body.id}`;
  expect(fees?.paid).toBeGreaterThan(0);
  expect(await told()).toEqual([null, null, null, null]);
  await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "P38D" } });
  // The simulator's price of a card payment; the tally is of the last month's payments alone.
  expect((await told()).slice(1)).toEqual([0.0249, 0.0249, 0.0249]);
});
