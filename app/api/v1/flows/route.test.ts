import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { openClient, type TestClient } from "@/lib/testing/api";
import { addProvider, type Shop, withMerchant } from "@/lib/testing/payments";
import { openDispatcher, openReceiver, openWebhook } from "@/lib/webhooks/testing";

interface FlowReply {
  id: string;
  parentId: string | null;
  restoredFrom: string | null;
  status: string;
  merchants: { merchantId: string }[];
  flow: { version: string; root: Record<string, unknown>[] };
  createdAt: string;
  updatedAt: string;
  activatedAt: string | null;
}

let client: TestClient;
let shop: Shop;
let second: string;

beforeAll(async () => {
  client = await openClient();
  shop = await withMerchant(client);
  second = await addProvider(shop, { name: "Second", priority: 2 });
});

const provider = (id = shop.merchant.providerId) => ({ rule: "provider", id });
const body = (changes: Record<string, unknown> = {}) => ({
  name: "Cards",
  paymentMethod: "credit",
  merchantId: shop.merchant.id,
  flow: { root: [provider()] },
  ...changes,
});
const create = (changes: Record<string, unknown> = {}) =>
  client.make<FlowReply>("POST", "/v1/flows", { body: body(changes) });
const refused = async (changes: Record<string, unknown>) => {
  const reply = await client.call("POST", "/v1/flows", { body: body(changes) });
  return [reply.status, reply.error?.businessCode, reply.error?.details];
};
const patch = (id: string, given: Record<string, unknown>) =>
  client.call<FlowReply>("PATCH", `/v1/flows/${id}`, { body: given });
const read = (id: string) => client.make<FlowReply>("GET", `/v1/flows/${id}`);

describe("a flow that cannot be used is refused with every wrong node by its place", () => {
  const when = (test: unknown, yes: unknown[] = [provider()], no: unknown[] = []) => ({
    rule: "condition",
    if: test,
    then: yes,
    else: no,
  });
  const amount = (operator: string, value: unknown) => ({ field: "amount", operator, value });

  test.each<[string, () => unknown[], string[]]>([
    ["an unknown rule", () => [{ rule: "loop" }], ["root[0]: rule must be one of"]],
    [
      "nodes that are wrong on their own, all at once",
      () => [when(amount("contains", 1)), { rule: "provider", id: "x" }, { rule: "share", weights: [{ weight: 99 }] }],
      ["root[0]: if: contains is no operator for amount", "root[1]: id must be", "root[2]: weights must be"],
    ],
    ["a provider nobody has", () => [provider("0192f1c4-8a10-7c3e-9b55-0d2f6a7e1c01")], ["root[0]: 0192f1c4"]],
    [
      "a test that an earlier one contradicts",
      () => [when(amount("gt", 7), [when(amount("lt", 3)), provider()])],
      ["root[0].then[0].then[0]: unreachable"],
    ],
    [
      "the else of a test that an earlier one already decided",
      () => [when(amount("in", [1, 2]), [when(amount("lt", 3), [provider()], [provider(second)])])],
      ["root[0].then[0].else[0]: unreachable"],
    ],
    [
      "a field of declines outside on",
      () => [when({ field: "attempt", operator: "eq", value: 2 })],
      ["root[0]: if: attempt"],
    ],
    ["an amount that is a text", () => [when(amount("gt", "7"))], ["root[0]: if: value must be a whole number"]],
    ["an unknown field", () => [when({ field: "weather", operator: "eq", value: "rain" })], ["root[0]: if: weather"]],
    ["an analysis by an acquirer", () => [{ rule: "antifraud", id: provider().id }, provider()], ["root[0]: "]],
    ["a best of one", () => [{ rule: "best", ids: [provider().id], by: "cost" }], ["root[0]: ids must be 2 to 5"]],
    [
      "the same id twice",
      () => [
        { ...when(amount("gt", 1)), id: "a" },
        { ...when(amount("gt", 2)), id: "a" },
      ],
      ["root[1]: another node has the id a"],
    ],
    [
      "too deep",
      () => [Array.from({ length: 11 }).reduce<unknown>((inner) => when(amount("gt", 1), [inner]), provider())],
      ["root[0].then[0].then[0].then[0].then[0].then[0].then[0].then[0].then[0].then[0].then[0]: "],
    ],
    ["too many", () => Array.from({ length: 101 }, () => provider()), ["root: more than 100 nodes"]],
  ])("%s", async (_, root, details) => {
    const [status, code, told] = await refused({ flow: { root: root() } });
    expect([status, code]).toEqual([400, "flow_invalid"]);
    expect(told).toHaveLength(details.length);
    for (const [index, detail] of details.entries()) expect((told as string[])[index]).toContain(detail);
  });

  test("more than three providers on one path, alternatives after declines included", async () => {
    const extra = [await addProvider(shop, { priority: 3 }), await addProvider(shop, { priority: 4 })];
    const [third = "", fourth = ""] = extra;
    const path = [provider(), provider(second), provider(third)];
    expect(await refused({ flow: { root: [...path, provider(fourth)] } })).toEqual([
      400,
      "flow_invalid",
      ["root[3]: more than 3 providers on a path"],
    ]);
    const on = { declined: ["generic"], then: [provider(fourth)] };
    expect((await refused({ flow: { root: [{ ...provider(), on }, ...path.slice(1)] } }))[1]).toBe("flow_invalid");
    // Different ways of different payments may lead to more of them.
    const ways = when(amount("gt", 5_000), path, [provider(fourth)]);
    expect((await create({ flow: { root: [ways] } })).status).toBe("draft");
  });

  test("a provider of another merchant; of a kind nobody serves; for a method it does not take", async () => {
    const other = await withMerchant(client);
    expect((await refused({ flow: { root: [provider(other.merchant.providerId)] } }))[2]).toEqual([
      `root[0]: ${other.merchant.providerId} is a provider of another merchant`,
    ]);
    const both = [{ merchantId: shop.merchant.id }, { merchantId: other.merchant.id }];
    const root = [provider(), provider(other.merchant.providerId)];
    expect((await create({ merchantId: null, merchants: both, flow: { root } })).merchants).toEqual(both);

    const analyst = await addProvider(shop, {
      name: "Analyst",
      credentials: { type: "SANDBOX_ANTIFRAUD", apiKey: "any text" },
      options: null,
    });
    const analysis = { rule: "antifraud", id: analyst };
    expect((await refused({ flow: { root: [provider(), analysis] } }))[2]).toEqual([
      "root[1]: no provider comes after the analysis",
    ]);
    expect((await refused({ paymentMethod: "pix", flow: { root: [analysis, provider()] } }))[2]).toEqual([
      "root[0]: an analysis is for credit cards only",
    ]);
    expect((await create({ flow: { root: [analysis, provider()] } })).status).toBe("draft");
  });

  test("merchants and versions that do not exist", async () => {
    const nobody = "0192f1c4-8a10-7c3e-9b55-0d2f6a7e1c01";
    expect((await refused({ merchantId: nobody }))[1]).toBe("merchant_not_found");
    expect((await refused({ parentId: nobody }))[1]).toBe("flow_not_found");
    expect((await refused({ merchants: [{ merchantId: shop.merchant.id }] }))[0]).toBe(400);
    const stranger = await openClient();
    const { id } = await create();
    expect((await stranger.call("GET", `/v1/flows/${id}`)).status).toBe(404);
    expect((await stranger.call("PATCH", `/v1/flows/${id}`, { body: { version: "1.0.0" } })).status).toBe(404);
  });
});

describe("versions", () => {
  test("a draft changes in place, by whoever read its last version", async () => {
    const { id } = await create();
    expect((await patch(id, { name: "Renamed" })).status).toBe(400);
    const changed = await patch(id, { version: "1.0.0", name: "Renamed", flow: { root: [provider(second)] } });
    expect(changed.body).toMatchObject({ id, name: "Renamed", status: "draft", flow: { version: "1.0.1" } });
    const stale = await patch(id, { version: "1.0.0", name: "Again" });
    expect([stale.status, stale.error?.businessCode]).toEqual([409, "flow_changed"]);
    const named = await client.call<FlowReply>("PATCH", `/v1/flows/${id}`, {
      body: { name: "Again" },
      headers: { "if-match": '"1.0.1"' },
    });
    expect(named.body.flow.version).toBe("1.0.2");
  });

  test("other rules for an active flow are the next version, and it stays as it is", async () => {
    const { id } = await create({ status: "active" });
    const next = await patch(id, { version: "1.0.0", flow: { root: [provider(second)] } });
    expect(next.body).toMatchObject({ parentId: id, status: "draft", flow: { version: "2.0.0" } });
    expect(next.body.id).not.toBe(id);
    expect(await read(id)).toMatchObject({ status: "active", flow: { version: "1.0.0", root: [provider()] } });

    const active = await patch(next.body.id, { version: "2.0.0", status: "active", note: "the second is cheaper" });
    expect(active.body.status).toBe("active");
    expect(active.body.activatedAt).not.toBeNull();
    expect((await read(id)).status).toBe("archived");
    const late = await patch(id, { version: "1.0.0", name: "Late" });
    expect([late.status, late.error?.businessCode]).toEqual([409, "flow_not_draft"]);

    const restored = await client.make<FlowReply>("POST", `/v1/flows/${id}/restore`, {
      body: { merchantId: shop.merchant.id },
    });
    expect(restored).toMatchObject({
      restoredFrom: id,
      status: "draft",
      flow: { version: "3.0.0", root: [provider()] },
    });
    expect((await create({ parentId: id })).flow.version).toBe("4.0.0");

    const { items } = await client.make<{ items: Record<string, unknown>[] }>("GET", `/v1/flows/${id}/changes`, {
      query: { order: "asc" },
    });
    expect(items.map(({ version, action, note }) => [version, action, note])).toEqual([
      ["1.0.0", "created", null],
      ["1.0.0", "activated", null],
      ["2.0.0", "created", null],
      ["1.0.0", "archived", null],
      ["2.0.0", "activated", "the second is cheaper"],
      ["3.0.0", "restored", null],
      ["4.0.0", "created", null],
    ]);
  });

  test("activation is per merchant and method: whoever is named leaves, and an empty flow is archived", async () => {
    const other = await withMerchant(client);
    const both = [{ merchantId: shop.merchant.id }, { merchantId: other.merchant.id }];
    const first = await create({ merchantId: null, merchants: both, status: "active" });
    const pix = await create({ paymentMethod: "pix", status: "active" });
    const one = await create({ status: "active" });
    expect(await read(first.id)).toMatchObject({ status: "active", merchants: [both[1]], flow: { version: "1.0.1" } });
    const flow = { root: [provider(other.merchant.providerId)] };
    await create({ merchantId: other.merchant.id, status: "active", flow });
    expect(await read(first.id)).toMatchObject({ status: "archived", merchants: [both[1]] });
    expect((await read(pix.id)).status).toBe("active");
    expect((await read(one.id)).status).toBe("active");

    const archived = await patch(one.id, { version: "1.0.0", status: "archived" });
    expect(archived.body.status).toBe("archived");
    const events = await systemSql()`
      select event from events where object = 'flow' and entity_id = ${one.id} order by entity_version`;
    expect(events.map(({ event }) => event)).toEqual(["activated", "archived"]);
  });

  test("of many that activate at once one is left", async () => {
    const drafts = await Promise.all(Array.from({ length: 4 }, () => create({ paymentMethod: "debit" })));
    const replies = await Promise.all(drafts.map(({ id }) => patch(id, { version: "1.0.0", status: "active" })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const statuses = await Promise.all(drafts.map(async ({ id }) => (await read(id)).status));
    expect(statuses.toSorted()).toEqual(["active", "archived", "archived", "archived"]);
  });
});

test("lists are narrowed by merchant, method and status, and open to keys with the scope", async () => {
  const mine = await withMerchant(await openClient());
  const flow = { root: [provider(mine.merchant.providerId)] };
  const given = { name: "Cards", merchantId: mine.merchant.id, flow };
  const active = await mine.client.make("POST", "/v1/flows", {
    body: { ...given, paymentMethod: "credit", status: "active" },
  });
  await mine.client.make("POST", "/v1/flows", { body: { ...given, paymentMethod: "pix" } });
  const { publicKey } = await mine.client.make<{ publicKey: string }>("POST", "/v1/auth", { body: { scope: "flows" } });
  const ids = async (query: Record<string, string>) =>
    (await mine.client.make<{ items: { id: string }[] }>("GET", "/v1/flows", { query, key: publicKey })).items.map(
      ({ id }) => id,
    );
  expect(await ids({ merchantId: mine.merchant.id })).toHaveLength(2);
  expect(await ids({ merchantId: mine.merchant.id, paymentMethod: "credit" })).toEqual([active.id]);
  expect(await ids({ status: "active" })).toEqual([active.id]);
  expect(await ids({ merchantId: shop.merchant.id })).toEqual([]);
  expect((await mine.client.call("POST", "/v1/flows", { body: given, key: publicKey })).status).toBe(403);
});

test("webhooks are told that a flow decides, and that it no longer does, in these bytes", async () => {
  const [receiver, dispatcher] = [await openReceiver(), await openDispatcher({ pollEveryMs: 600_000 })];
  try {
    const { client: mine, merchant } = await withMerchant(await openClient());
    await openWebhook(mine, receiver.url, { event: "flow.*" });
    const flow = { root: [{ rule: "provider", id: merchant.providerId }] };
    const given = { name: "Cartões", paymentMethod: "credit", merchantId: merchant.id, flow };
    await mine.make("POST", "/v1/flows", { body: given });
    const active = await mine.make<FlowReply>("POST", "/v1/flows", { body: { ...given, status: "active" } });
    const archiving = { version: "1.0.0", status: "archived" };
    const archived = await mine.make<FlowReply>("PATCH", `/v1/flows/${active.id}`, { body: archiving });
    await expect.poll(() => receiver.received.length, { timeout: 8_000, interval: 15 }).toBe(2);
    const changes = [
      { event: "activated", told: active },
      { event: "archived", told: archived },
    ];
    const query = { objectId: active.id, order: "asc" };
    const { items } = await mine.make<{ items: { id: string; createdAt: string }[] }>("GET", "/v1/events", { query });
    for (const [nth, { event, told }] of changes.entries()) {
      expect(receiver.received[nth]?.headers["webhook-id"]).toBe(items[nth]?.id);
      expect(receiver.received[nth]?.body.toString("utf8")).toBe(
        `{"id":"${items[nth]?.id}","object":"flow","event":"${event}","apiVersion":"1.1",` +
          `"entityVersion":${nth + 1},"createdAt":"${items[nth]?.createdAt}","data":{"id":"${active.id}",` +
          `"clientId":"${mine.clientId}","parentId":null,"restoredFrom":null,"name":"Cartões",` +
          `"paymentMethod":"credit","merchants":[{"merchantId":"${merchant.id}"}],"status":"${told.status}",` +
          `"flow":{"version":"1.0.0","root":[{"id":"${merchant.providerId}","rule":"provider"}]},` +
          `"createdAt":"${active.createdAt}","updatedAt":"${told.updatedAt}","activatedAt":"${active.activatedAt}"}}`,
      );
    }
  } finally {
    await Promise.all([receiver.stop(), dispatcher.stop()]);
  }
});

test("what decided is never rewritten, not even by hand, and a merchant has one flow for a method", async () => {
  const { id } = await create({ paymentMethod: "boleto", status: "active" });
  const sql = systemSql();
  await expect(sql`update flows set root = '[]' where id = ${id}`).rejects.toThrow("never changes");
  await expect(sql`update flows set status = 'draft' where id = ${id}`).rejects.toThrow("may not go from");
  await expect(
    sql`insert into active_flows select merchant_id, payment_method, flow_id, client_id from active_flows where flow_id = ${id}`,
  ).rejects.toThrow("duplicate key");
  await expect(sql`delete from flow_changes where flow_id = ${id}`).rejects.toThrow("permission denied");
});
