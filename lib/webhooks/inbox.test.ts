import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { payByCard, withMerchant } from "@/lib/testing/payments";
import { EVENTS_PER_PAGE, inboxEvent, readInbox } from "@/lib/webhooks/inbox";

const unknown = expect.objectContaining({ status: 404 });

test("the inbox holds everything that happened, newest first, with nobody listening", async () => {
  const shop = await withMerchant(await openClient());
  const { id } = (await payByCard(shop, { capture: true })).body;
  await shop.client.make("POST", `/v1/charges/${id}/void`, { body: {} });
  const ctx = await shop.client.context();
  const { items, next } = await readInbox(ctx, "viewer", { objectId: id });
  expect(items.map(({ name }) => name)).toEqual(["transaction.voided", "transaction.authorized"]);
  expect(next).toBeUndefined();
  const [newest] = items;
  const event = await inboxEvent(ctx, "developer", newest?.id ?? "");
  expect(JSON.parse(event.body)).toMatchObject({ id: newest?.id, object: "transaction", event: "voided" });
});

test("pages follow each other without a gap, and what commits late is where it belongs", async () => {
  const client = await openClient();
  const ctx = await client.context();
  const write = (minutes: number) => systemSql()`
    insert into events (id, client_id, object, event, entity_id, entity_version, body, created_at)
    values (${newId()}, ${client.clientId}, 'transaction', 'authorized', ${newId()}, 1, '{}',
            now() - make_interval(mins => ${minutes}))`;
  for (let minute = 0; minute < EVENTS_PER_PAGE + 2; minute++) await write(minute * 2);
  const first = await readInbox(ctx, "owner", {});
  await write(1);
  const second = await readInbox(ctx, "owner", { after: first.next });
  expect([first.items.length, second.items.length]).toEqual([EVENTS_PER_PAGE, 2]);
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(EVENTS_PER_PAGE + 2);
  const again = (await readInbox(ctx, "owner", {})).items.map(({ createdAt }) => createdAt.getTime());
  expect(again).toEqual([...again].sort((one, other) => other - one));
});

test("the inbox is the account's own; its bodies are for those who may read bodies", async () => {
  const shop = await withMerchant(await openClient());
  await payByCard(shop, { capture: true });
  const ctx = await shop.client.context();
  const [{ id } = { id: "" }] = (await readInbox(ctx, "owner", {})).items;
  const other = await (await openClient()).context();
  expect((await readInbox(other, "owner", {})).items).toEqual([]);
  await expect(inboxEvent(other, "owner", id)).rejects.toEqual(unknown);
  await expect(inboxEvent(ctx, "support", id)).rejects.toEqual(unknown);
  await expect(readInbox(ctx, "finance", {})).rejects.toEqual(unknown);
});
