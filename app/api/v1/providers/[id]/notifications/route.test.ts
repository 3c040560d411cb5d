import { describe, expect, test } from "vitest";
import { dispatch } from "@/app/api/registry";
import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { eventsOf } from "@/lib/charges/overview";
import { systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { ignoredAmong, providerNoticesOf } from "@/lib/provider-webhooks/queries";
import type { OutboundRequest, Transport } from "@/lib/providers/exchange";
import {
  nextNotificationAt,
  sendNotifications,
  takeDueNotifications,
} from "@/lib/providers/sandbox/api/send-notifications";
import { openShop, type Shop, withAnalyst } from "@/lib/providers/sandbox/api/testing";
import { SIGNATURE_HEADER, signature } from "@/lib/providers/sandbox/webhook";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { drainDueJobs } from "@/lib/scheduler/drain";
import { addSeconds, realNow } from "@/lib/time";

const API_KEY = "any text";
const HOST = "http://trilho.test";

const receive = async (providerId: string, body: string, headers: Record<string, string>) => {
  const response = await dispatch(
    new Request(`${HOST}/v1/providers/${providerId}/notifications`, { method: "POST", body, headers }),
  );
  return { status: response.status, body: await response.json() };
};

const signed = (body: string, at = realNow(), key = API_KEY) => ({
  "content-type": "application/json",
  [SIGNATURE_HEADER]: signature(key, at, Buffer.from(body)),
});

const transactionOf = async (chargeId: string) => {
  const [row] = await systemSql()<{ id: string; reference: string }[]>`
    select id, reference from sandbox_transactions where charge_id = ${chargeId}`;
  return { transactionId: row?.id, reference: row?.reference };
};

const keptOf = (shop: Shop) => systemSql()<{ event_id: string; type: string; body: unknown }[]>`
  select event_id, type, body from provider_notifications where client_id = ${shop.clientId} order by id`;

const eventOf = async (chargeId: string, id: string, type = "payment.paid") =>
  JSON.stringify({ id, type, createdAt: realNow().toISOString(), ...(await transactionOf(chargeId)) });

describe("POST /v1/providers/{id}/notifications", () => {
  test("of a fraud provider: what it says is not believed, it is asked at once", async () => {
    const shop = await openShop(withAnalyst());
    const fraudAnalysis = { customer: { identity: "52998224720" } };
    const { id } = (await shop.pay(sandboxPan("approve"), { fraudAnalysis })).body;
    const [analyst] = await systemSql()<{ id: string }[]>`
      select id from providers where client_id = ${shop.clientId} and kind = 'SANDBOX_ANTIFRAUD'`;
    const tell = async (eventId: string) => {
      const body = JSON.stringify({
        id: eventId,
        type: "analysis.finished",
        createdAt: realNow().toISOString(),
        reference: `${id}-1`,
      });
      expect((await receive(analyst?.id ?? "", body, signed(body))).status).toBe(200);
      await drainDueJobs();
      return (await shop.charge(id)).status;
    };
    expect(await tell("too early")).toBe("pre_authorized");
    await systemSql()`update sandbox_analyses set status = 'approved' where charge_id = ${id}`;
    expect(await tell("in time")).toBe("authorized");
    const forged = JSON.stringify({ id: "forged", type: "analysis.finished" });
    expect((await receive(analyst?.id ?? "", forged, signed(forged, realNow(), "another key"))).status).toBe(401);
  });

  test("200: kept once however often it comes, and the payment it speaks of is asked about at once", async () => {
    const shop = await openShop();
    const pix = await shop.pix();
    await systemSql()`delete from due_jobs where ref_id = ${pix.id} and kind = 'charge.watch'`;
    const body = await eventOf(pix.id, "evt-1");
    for (let copy = 0; copy < 3; copy++) {
      expect(await receive(shop.providerId, body, signed(body))).toEqual({ status: 200, body: { received: true } });
    }
    expect((await keptOf(shop)).map((row) => row.event_id)).toEqual(["evt-1"]);
    const jobs = await systemSql()`
      select due_at <= now() as due from due_jobs where ref_id = ${pix.id} and kind = 'charge.watch'`;
    expect(jobs.map((job) => job.due)).toEqual([true]);
  });

  test("200: it moves no money by itself, whatever it says", async () => {
    const shop = await openShop();
    const pix = await shop.pix();
    const body = await eventOf(pix.id, "evt-lie");
    await receive(shop.providerId, body, signed(body));
    await drainDueJobs();
    expect(await shop.charge(pix.id)).toMatchObject({ status: "pending", capturedAmount: 0 });
  });

  test("200: an unknown payment waits for its query no longer", async () => {
    const shop = await openShop();
    const { id } = (await shop.pay(sandboxPan("timeout_authorised_at_provider"))).body;
    const body = await eventOf(id, "evt-2", "payment.resolved");
    await receive(shop.providerId, body, signed(body));
    await drainDueJobs();
    expect((await shop.charge(id)).status).toBe("authorized");
  });

  test("a payment shows those that led to something and those that came late or again, marked as such", async () => {
    const shop = await openShop();
    const { id } = (await shop.pay(sandboxPan("timeout_authorised_at_provider"))).body;
    const body = await eventOf(id, "evt-news", "payment.resolved");
    await receive(shop.providerId, body, signed(body));
    await drainDueJobs();
    const late = await eventOf(id, "evt-late", "payment.changed");
    await receive(shop.providerId, late, signed(late));
    await drainDueJobs();
    const ctx = systemContext(await loadAccount(shop.clientId), newId());
    const [notices, changes] = await Promise.all([providerNoticesOf(ctx, id), eventsOf(ctx, id)]);
    const ignored = ignoredAmong(notices, changes);
    expect(notices.map(({ id: one, type }) => [type, ignored.has(one)])).toEqual([
      ["payment.resolved", false],
      ["payment.changed", true],
    ]);
  });

  test("200: a name nobody knows, and a payment nobody knows, are thanked for", async () => {
    const shop = await openShop();
    for (const type of ["payment.danced", "payment.paid"]) {
      const body = JSON.stringify({
        id: `evt-${type}`,
        type,
        createdAt: realNow().toISOString(),
        reference: "unknown",
      });
      expect((await receive(shop.providerId, body, signed(body))).status).toBe(200);
    }
    expect((await keptOf(shop)).map((row) => row.type)).toEqual(["payment.paid"]);
  });

  test("401: unsigned, signed by another key, changed on the way, or too old", async () => {
    const shop = await openShop();
    const pix = await shop.pix();
    const body = await eventOf(pix.id, "evt-3");
    const forged = [
      { "content-type": "application/json" },
      signed(body, realNow(), "another key"),
      signed(`${body} `),
      signed(body, addSeconds(realNow(), -301)),
      signed(body, addSeconds(realNow(), 360)),
    ];
    for (const headers of forged) {
      expect(await receive(shop.providerId, body, headers)).toEqual({
        status: 401,
        body: { error: { type: "invalid_request_error", code: 401, message: "unauthorized", details: [] } },
      });
    }
    expect(await keptOf(shop)).toEqual([]);
  });

  test("404: no such provider; 200 still for one that was removed", async () => {
    const shop = await openShop();
    const pix = await shop.pix();
    const body = await eventOf(pix.id, "evt-4");
    const unknown = await receive("0192f1c4-8a10-7c3e-9b55-0d2f6a7e1c01", body, signed(body));
    expect([unknown.status, unknown.body.error.type]).toEqual([404, "entity_not_found"]);
    await shop.make("DELETE", `/v1/providers/${shop.providerId}`);
    expect((await receive(shop.providerId, body, signed(body))).status).toBe(200);
  });
});

describe("the addresses of notifications", () => {
  const ask = async (method: string, path: string) => {
    const response = await dispatch(new Request(`${HOST}/v1/providers/${path}`, { method }));
    return { status: response.status, text: await response.text() };
  };

  test("200: GET and HEAD answer without a body, with the segment that a bank appends too", async () => {
    const { providerId } = await openShop();
    for (const method of ["GET", "HEAD"]) {
      for (const path of ["notifications", "notifications/pix", "notifications/rec", "notifications/cobr"]) {
        expect(await ask(method, `${providerId}/${path}`)).toEqual({ status: 200, text: "" });
      }
    }
  });

  test("400 and 404: any other segment, and two of them", async () => {
    const { providerId } = await openShop();
    expect((await ask("POST", `${providerId}/notifications/boleto`)).status).toBe(400);
    expect((await ask("POST", `${providerId}/notifications/pix/again`)).status).toBe(404);
  });

  test("200: what comes with the segment is received like the others", async () => {
    const shop = await openShop();
    const pix = await shop.pix();
    const body = await eventOf(pix.id, "evt-pix");
    const response = await dispatch(
      new Request(`${HOST}/v1/providers/${shop.providerId}/notifications/pix`, {
        method: "POST",
        body,
        headers: signed(body),
      }),
    );
    expect(response.status).toBe(200);
    expect((await keptOf(shop)).map((row) => row.event_id)).toEqual(["evt-pix"]);
  });
});

/** The installation's own receiver, without a socket between; it may be away for a while. */
function ownReceiver({ awayFor = 0 } = {}): Transport & { statuses: number[]; bodies: string[] } {
  const statuses: number[] = [];
  const bodies: string[] = [];
  let away = awayFor;
  return {
    statuses,
    bodies,
    close: () => Promise.resolve(),
    async send({ path, headers, body, method }: OutboundRequest) {
      if (away-- > 0) return { kind: "not_sent", cause: "connect_refused" };
      const text = JSON.stringify(body);
      const response = await dispatch(new Request(`${HOST}${path}`, { method, headers, body: text }));
      statuses.push(response.status);
      bodies.push(text);
      return { kind: "answered", status: response.status, headers: {}, body: null };
    },
  };
}

const mineOf = async (shop: Shop) =>
  (await takeDueNotifications()).filter(({ providerId }) => providerId === shop.providerId);

describe("the simulator's own notifications", () => {
  test("are sent when their time on the account's clock has come, and lead to the payment's end", async () => {
    const shop = await openShop();
    const { id } = (await shop.pay(sandboxPan("pending_then_approved"))).body;
    expect(await mineOf(shop)).toEqual([]);
    expect(await nextNotificationAt(60)).toBeInstanceOf(Date);
    // The clock has come there, and the product's own question has not been asked.
    await systemSql()`update clients set clock_offset_seconds = 60 where id = ${shop.clientId}`;
    const due = await mineOf(shop);
    expect(due.map(({ type }) => type)).toEqual(["payment.resolved"]);
    const receiver = ownReceiver();
    expect(await sendNotifications(due, receiver)).toEqual([]);
    expect(receiver.statuses).toEqual([200]);
    expect((await keptOf(shop)).map((row) => row.type)).toEqual(["payment.resolved"]);
    expect(await mineOf(shop)).toEqual([]);
    await drainDueJobs();
    expect((await shop.charge(id)).status).toBe("authorized");
  });

  test("that were not taken are sent again", async () => {
    const shop = await openShop();
    const pix = await shop.pix();
    await shop.make("POST", `/v1/sandbox/pix/${pix.id}/pay`, { body: {} });
    const due = await mineOf(shop);
    const receiver = ownReceiver({ awayFor: 1 });
    const left = await sendNotifications(due, receiver);
    expect(left).toEqual(due);
    expect(await sendNotifications(left, receiver)).toEqual([]);
    expect(await keptOf(shop)).toHaveLength(1);
  });

  test.each([
    ["duplicate_webhook", [200, 200], 1],
    ["bad_signature", [401], 0],
    ["clock_skew", [401], 0],
  ])("with the fault %s are met by the receiver as they should be", async (fault, statuses, kept) => {
    const shop = await openShop();
    const { body } = await shop.pay(sandboxPan("pending_then_approved"), {}, { scenario: `fault=${fault}` });
    await systemSql()`update clients set clock_offset_seconds = 60 where id = ${shop.clientId}`;
    const receiver = ownReceiver();
    expect(await sendNotifications(await mineOf(shop), receiver)).toEqual([]);
    expect(receiver.statuses).toEqual(statuses);
    expect(await keptOf(shop)).toHaveLength(kept);
    // Whatever became of the notification, the schedule of queries finds the payment.
    await shop.advance("PT1M");
    expect((await shop.charge(body.id)).status).toBe("authorized");
  });

  test("with the fault reorder_webhook arrive the other way round", async () => {
    const shop = await openShop();
    const first = (await shop.pay(sandboxPan("pending_then_approved"), {}, { scenario: "fault=reorder_webhook" })).body;
    const second = (await shop.pay(sandboxPan("pending_then_approved"))).body;
    await systemSql()`update clients set clock_offset_seconds = 60 where id = ${shop.clientId}`;
    const receiver = ownReceiver();
    await sendNotifications(await mineOf(shop), receiver);
    const references = receiver.bodies.map((text) => (JSON.parse(text) as { reference: string }).reference);
    const expected = [await transactionOf(second.id), await transactionOf(first.id)];
    expect(references).toEqual(expected.map(({ reference }) => reference));
  });
});
