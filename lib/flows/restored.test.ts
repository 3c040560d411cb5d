import postgres from "postgres";
import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { inSnapshot } from "@/lib/context";
import { sourcesOf } from "@/lib/flows/family";
import { healthOfProviders } from "@/lib/flows/provider-health";
import { listChanges, versionOf } from "@/lib/flows/queries";
import { restoreFlow } from "@/lib/flows/service";
import { tallyOf } from "@/lib/flows/tally";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";

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

test("a cost is unknown while no fee is known, and told once one is", async () => {
  const { shop, id, providerId, ctx } = await activeFlow();
  const { body } = await payByCard(shop, { amount: 10_000, capture: true });
  const told = () =>
    inSnapshot(ctx, async (inside) => [
      (await tallyOf(inside, id)).providers[0]?.cost,
      (await healthOfProviders(inside)).get(providerId)?.cost,
    ]);
  expect(await told()).toEqual([null, null]);
  // What was sold never changes: as if it had been booked with a fee.
  const owner = postgres(process.env.DATABASE_OWNER_URL ?? "", { max: 1, onnotice: () => undefined });
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update receivables set fee = 250 where charge_id = ${body.id}`;
  });
  await owner.end();
  expect(await told()).toEqual([0.025, 0.025]);
});
