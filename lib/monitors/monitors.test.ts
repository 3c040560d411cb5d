import { beforeAll, describe, expect, test } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { measure } from "@/lib/monitors/measure";
import { judgeWatch, type MeasuredWindow, type NewMonitor } from "@/lib/monitors/metrics";
import { rehearse } from "@/lib/monitors/rehearsal";
import { lookAtMonitors } from "@/lib/monitors/round";
import {
  changeMonitor,
  createMonitor,
  deleteMonitor,
  findMonitor,
  isMuted,
  listMonitors,
  muteMonitor,
  unmuteMonitor,
} from "@/lib/monitors/service";
import { writeNotices } from "@/lib/notices/write";
import { createOperator } from "@/lib/sign-in/service";
import { openClient } from "@/lib/testing/api";
import { payByCard, type Shop, withMerchant } from "@/lib/testing/payments";
import { addSeconds, DAY_SECONDS, realNow } from "@/lib/time";

const APPROVAL: NewMonitor = {
  name: "Approval",
  metric: "approval",
  kind: "fixed",
  threshold: 80,
  windowMinutes: 60,
  byEmail: true,
  byWebhook: false,
};
const unknown = expect.objectContaining({ status: 404 });

/** Charges as they stand after so many payments, without paying each: made out of one that was. */
async function charged(shop: Shop, like: string, count: number, status: "authorized" | "failed", daysAgo = 0) {
  const [row] = await systemSql()`select * from charges where id = ${like}`;
  const at = addSeconds(realNow(), -daysAgo * DAY_SECONDS - 60);
  const rows = Array.from({ length: count }, () => ({ ...row, id: newId(), status, created_at: at, updated_at: at }));
  await systemSql()`insert into charges ${systemSql()(rows)}`;
  return shop;
}

async function openShop(): Promise<{ shop: Shop; like: string }> {
  const shop = await withMerchant(await openClient());
  const like = (await payByCard(shop, { capture: true })).body.id;
  return { shop, like };
}

/** A minute of its own for each round of a test. */
let rounds = 0;
const nextRound = () => lookAtMonitors(addSeconds(realNow(), 60 * ++rounds));

describe("a monitor is judged", () => {
  const rate = (value: number, samples = 100): MeasuredWindow => ({ value, samples });

  test.each([
    ["below its number", { ...APPROVAL }, rate(79.9), [], "bad", 80],
    ["at its number", { ...APPROVAL }, rate(80), [], "fine", 80],
    ["of 29 payments", { ...APPROVAL }, rate(0, 29), [], "unknown", 0],
    ["of 30 payments", { ...APPROVAL }, rate(0, 30), [], "bad", 80],
    [
      "a count has no least sample",
      { ...APPROVAL, metric: "unknowns", threshold: 5 } as const,
      rate(5, 5),
      [],
      "bad",
      5,
    ],
    ["latency above", { ...APPROVAL, metric: "latency", threshold: 900 } as const, rate(950), [], "bad", 900],
  ] as const)("fixed: %s", (_, watch, present, weeks, verdict, limit) => {
    expect(judgeWatch(watch, present, weeks)).toEqual({ verdict, limit });
  });

  const anomaly = { ...APPROVAL, kind: "anomaly", threshold: 15 } as const;
  test.each([
    ["far from the weeks before", rate(60), [rate(80), rate(84), rate(79), rate(77)], "bad", 65],
    ["near them", rate(70), [rate(80), rate(80)], "fine", 65],
    ["one week alone is no habit", rate(10), [rate(80), rate(80, 12), { value: null, samples: 0 }], "unknown", 0],
    ["few payments now", rate(10, 29), [rate(80), rate(80)], "unknown", 0],
  ] as const)("against the same hour: %s", (_, present, weeks, verdict, limit) => {
    expect(judgeWatch(anomaly, present, weeks)).toEqual({ verdict, limit });
  });

  test("what is no rate may differ by a share of itself", () => {
    const watch = { ...anomaly, metric: "declines", threshold: 50 } as const;
    expect(judgeWatch(watch, rate(59), [rate(40), rate(40)])).toEqual({ verdict: "fine", limit: 60 });
    expect(judgeWatch(watch, rate(60), [rate(40), rate(40)])).toEqual({ verdict: "bad", limit: 60 });
  });
});

describe("a round", () => {
  test("fires once, is told once whoever looks, and recovers", async () => {
    const { shop, like } = await openShop();
    const ctx = await shop.client.context();
    const id = await createMonitor(ctx, "owner", APPROVAL);
    await nextRound();
    // One payment is too little to tell.
    expect((await findMonitor(ctx, "owner", id)).monitor).toMatchObject({ state: "quiet", value: null, samples: 1 });
    await charged(shop, like, 29, "failed");
    const at = addSeconds(realNow(), 60 * ++rounds);
    await Promise.all([lookAtMonitors(at), lookAtMonitors(at), lookAtMonitors(at)]);
    await lookAtMonitors(at);
    const fired = await findMonitor(ctx, "owner", id);
    expect(fired.monitor).toMatchObject({ state: "firing", samples: 30, since: expect.any(Date) });
    expect(fired.events).toMatchObject([{ kind: "fired", limitValue: 80, samples: 30 }]);
    await nextRound();
    expect((await findMonitor(ctx, "owner", id)).events).toHaveLength(1);
    await charged(shop, like, 400, "authorized");
    await nextRound();
    const well = await findMonitor(ctx, "owner", id);
    expect(well.monitor.state).toBe("quiet");
    expect(well.events.map(({ kind }) => kind)).toEqual(["recovered", "fired"]);
    await expect(systemSql()`delete from monitor_events where monitor_id = ${id}`).rejects.toThrow();
  });

  test("holds an hour against the same hour of four weeks", async () => {
    const { shop, like } = await openShop();
    const ctx = await shop.client.context();
    for (const days of [7, 14, 21]) await charged(shop, like, 40, "authorized", days);
    await charged(shop, like, 30, "authorized");
    await charged(shop, like, 30, "failed");
    const id = await createMonitor(ctx, "owner", { ...APPROVAL, kind: "anomaly", threshold: 15 });
    await nextRound();
    expect((await findMonitor(ctx, "owner", id)).events).toMatchObject([{ kind: "fired", limitValue: 85 }]);
  });

  test("a monitor that was changed begins anew, and one that is gone is not looked at", async () => {
    const { shop, like } = await openShop();
    await charged(shop, like, 40, "failed");
    const ctx = await shop.client.context();
    const id = await createMonitor(ctx, "owner", APPROVAL);
    await nextRound();
    await changeMonitor(ctx, "owner", id, { ...APPROVAL, threshold: 1 });
    expect((await findMonitor(ctx, "owner", id)).monitor).toMatchObject({ state: "quiet", threshold: 1 });
    await deleteMonitor(ctx, "owner", id);
    await expect(findMonitor(ctx, "owner", id)).rejects.toEqual(unknown);
    await nextRound();
    const [row] = await systemSql()`select state from monitors where id = ${id}`;
    expect(row?.state).toBe("quiet");
  });
});

test("nobody looks for an account that is closed", async () => {
  const { shop, like } = await openShop();
  await charged(shop, like, 40, "failed");
  const id = await createMonitor(await shop.client.context(), "owner", APPROVAL);
  await systemSql()`update clients set status = 'closed', closed_at = now() where id = ${shop.client.clientId}`;
  await nextRound();
  expect(await systemSql()`select 1 from monitor_events where monitor_id = ${id}`).toEqual([]);
  await systemSql()`update clients set status = 'active', closed_at = null where id = ${shop.client.clientId}`;
  await nextRound();
  expect(await systemSql()`select 1 from monitor_events where monitor_id = ${id}`).toHaveLength(1);
});

describe("what fired is told", () => {
  /** An account of one owner, whose monitor fires in the next round. */
  async function firing(changes: Partial<NewMonitor>) {
    const { shop, like } = await openShop();
    await createOperator(systemDb(), {
      email: `rui-${newId().slice(-8)}@equipe.example`,
      name: "Rui Reis",
      password: "correct horse battery staple",
      clientId: shop.client.clientId,
      role: "owner",
    });
    await charged(shop, like, 40, "failed");
    const id = await createMonitor(await shop.client.context(), "owner", { ...APPROVAL, ...changes });
    return { shop, like, id };
  }
  const eventsOf = (id: string) => systemSql()<{ event: string; version: number; body: Buffer }[]>`
    select event, entity_version as version, body from events where entity_id = ${id} order by entity_version`;
  const mailsOf = (clientId: string) => systemSql()`select kind from notice_mails where client_id = ${clientId}`;

  test("by webhook where that was asked for: two events of one object, in the words of the catalogue", async () => {
    const { shop, like, id } = await firing({ byWebhook: true });
    await nextRound();
    await charged(shop, like, 400, "authorized");
    await nextRound();
    const events = await eventsOf(id);
    expect(events.map(({ event, version }) => [event, version])).toEqual([
      ["fired", 1],
      ["recovered", 2],
    ]);
    const { object, data } = JSON.parse(String(events[0]?.body));
    expect([object, data]).toEqual([
      "monitor",
      {
        id,
        clientId: shop.client.clientId,
        name: "Approval",
        status: "firing",
        metric: "approval",
        kind: "fixed",
        value: expect.any(Number),
        limit: 80,
        samples: 41,
        windowFrom: expect.stringMatching(/Z$/),
        windowUntil: expect.stringMatching(/Z$/),
      },
    ]);
  });

  test("by no webhook where nobody asked for it, and by e-mail only where that was", async () => {
    const [mailed, quiet] = [await firing({}), await firing({ byEmail: false })];
    await nextRound();
    await writeNotices();
    expect([await eventsOf(mailed.id), await eventsOf(quiet.id)]).toEqual([[], []]);
    expect(await mailsOf(mailed.shop.client.clientId)).toEqual([{ kind: "monitor_fired" }]);
    expect(await mailsOf(quiet.shop.client.clientId)).toEqual([]);
    const shown = await systemSql()`select kind from notices where client_id = ${quiet.shop.client.clientId}`;
    expect(shown).toEqual([{ kind: "monitor_fired" }]);
  });

  test("to nobody while it is muted", async () => {
    const { shop, id } = await firing({ byWebhook: true });
    await muteMonitor(await shop.client.context(), "owner", id, 1);
    await nextRound();
    expect(await eventsOf(id)).toEqual([]);
    expect(await systemSql()`select 1 from notices where client_id = ${shop.client.clientId}`).toEqual([]);
  });
});

describe("what is measured", () => {
  let shop: Shop;
  const lately = () => ({ from: addSeconds(realNow(), -3_600), until: addSeconds(realNow(), 60) });
  const values = async (metric: Parameters<typeof measure>[1]) =>
    measure(await shop.client.context(), metric, [
      lately(),
      { from: addSeconds(realNow(), -9_000), until: addSeconds(realNow(), -8_000) },
    ]);

  beforeAll(async () => {
    shop = await withMerchant(await openClient());
    await payByCard(shop, { capture: true });
    const { id } = (await payByCard(shop, { capture: true })).body;
    await shop.client.make("POST", `/v1/charges/${id}/void`, { body: { amount: 100 } });
    const held = (await payByCard(shop)).body.id;
    await shop.client.make("POST", `/v1/charges/${held}/void`, { body: {} });
    await payByCard(shop, { outcome: "decline:insufficient_funds" });
    await payByCard(shop, { outcome: "timeout_authorised_at_provider" });
    await systemSql()`insert into card_alarms (id, client_id, scope, ref_id, kind, cause, tried, declined, raised_at, until)
      values (${newId()}, ${shop.client.clientId}, 'merchant', ${shop.merchant.id}, 'step_up', 'merchant_declines', 30, 20,
              now(), now() + interval '1 hour')`;
  });

  test("approval and declines, of what was decided", async () => {
    expect(await values("approval")).toEqual([
      { value: 75, samples: 4 },
      { value: null, samples: 0 },
    ]);
    expect(await values("declines")).toEqual([
      { value: 1, samples: 4 },
      { value: 0, samples: 0 },
    ]);
  });
  test("unanswered attempts and how long answers take", async () => {
    expect((await values("unknowns"))[0]).toEqual({ value: 1, samples: 5 });
    expect((await values("latency"))[0]).toMatchObject({ value: expect.any(Number) });
  });
  test("refunds, not holds that were let go", async () => {
    expect((await values("refunds"))[0]).toEqual({ value: 1, samples: 1 });
  });
  test("signs of card testing", async () => {
    expect((await values("card_testing"))[0]).toEqual({ value: 1, samples: 1 });
  });
  test("webhooks: deliveries that failed at least once", async () => {
    expect((await values("webhooks"))[0]).toEqual({ value: null, samples: 0 });
  });
  test("nothing of another account", async () => {
    const other = await (await openClient()).context();
    expect(await measure(other, "declines", [lately()])).toEqual([{ value: 0, samples: 0 }]);
  });
});

test("a rehearsal tells how often it would have fired in seven days, and of how many windows it could tell", async () => {
  const { shop, like } = await openShop();
  for (const days of [1, 3, 5]) await charged(shop, like, 40, "failed", days);
  await charged(shop, like, 40, "authorized", 2);
  const rehearsal = await rehearse(await shop.client.context(), "viewer", APPROVAL);
  // The two of days 3 and 5 are one: nothing in between said that it was over.
  expect(rehearsal).toMatchObject({ fired: 2, judged: 4, windows: 168 });
});

describe("monitors of an account", () => {
  test("are made, muted with an end and heard again by those who may, and audited", async () => {
    const ctx = await (await openClient()).context();
    const id = await createMonitor(ctx, "developer", APPROVAL);
    await muteMonitor(ctx, "operations", id, 2);
    const [muted] = await listMonitors(ctx, "viewer");
    expect(muted && isMuted(ctx, muted)).toBe(true);
    await unmuteMonitor(ctx, "operations", id);
    expect((await listMonitors(ctx, "viewer"))[0]).toMatchObject({ id, mutedUntil: null });
    for (const role of ["viewer", "finance", "support"] as const) {
      await expect(createMonitor(ctx, role, APPROVAL)).rejects.toEqual(unknown);
      await expect(deleteMonitor(ctx, role, id)).rejects.toEqual(unknown);
    }
    await expect(listMonitors(ctx, "support")).rejects.toEqual(unknown);
    const audited = await systemSql()`
      select action from audit_log where client_id = ${ctx.account.id} and object = 'monitor' order by id`;
    expect(audited.map(({ action }) => action)).toEqual(["monitor.create", "monitor.mute", "monitor.unmute"]);
  });

  test("are unknown to every other account", async () => {
    const ctx = await (await openClient()).context();
    const id = await createMonitor(ctx, "owner", APPROVAL);
    const other = await (await openClient()).context();
    expect(await listMonitors(other, "owner")).toEqual([]);
    await expect(findMonitor(other, "owner", id)).rejects.toEqual(unknown);
    await expect(muteMonitor(other, "owner", id, 1)).rejects.toEqual(unknown);
  });
});
