import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { type ChargeReply, openShop, type Shop } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { openClient } from "@/lib/testing/api";

const force = (shop: Pick<Shop, "call">, id: string, status: string) =>
  shop.call<ChargeReply>("POST", `/v1/charges/${id}`, { body: { status } });

type Make = (shop: Shop) => Promise<ChargeReply>;
const card =
  (outcome: Parameters<typeof sandboxPan>[0], capture = true): Make =>
  async (shop) =>
    (await shop.pay(sandboxPan(outcome), { capture })).body;
const after =
  (make: Make, step: (shop: Shop, id: string) => Promise<unknown>): Make =>
  async (shop) => {
    const { id } = await make(shop);
    await step(shop, id);
    return shop.charge(id);
  };
const pix: Make = (shop) => shop.pix();
const boleto: Make = (shop) => shop.boleto();
const pending = card("pending_forever");
const pendingHold = card("pending_forever", false);
const held = card("approve", false);
const sold = card("approve");
const captureUnknown = after(card("capture_timeout_not_captured", false), (shop, id) =>
  shop.make("POST", `/v1/charges/${id}/capture`, { body: {} }),
);
const voidUnknown = after(held, (shop, id) =>
  shop.call("POST", `/v1/charges/${id}/void`, { body: {}, scenario: "fault=drop_request;step=void" }),
);
const refundPending = after(card("refund_pending_done"), async (shop, id) => {
  await shop.advance("P2D");
  await shop.make("POST", `/v1/charges/${id}/void`, { body: {} });
});
const disputed = after(sold, (shop, id) => force(shop, id, "charged_back"));

const FORCED: [name: string, make: Make, from: string, to: string, events: string[]][] = [
  ["a Pix is paid", pix, "pending", "authorized", ["pending", "authorized"]],
  ["a Pix is canceled", pix, "pending", "canceled", ["pending", "canceled"]],
  ["a Pix fails", pix, "pending", "failed", ["pending", "failed"]],
  ["a boleto is paid", boleto, "pending", "authorized", ["pending", "authorized"]],
  ["an unknown card is approved", pendingHold, "pending", "pre_authorized", ["pending", "pre_authorized"]],
  ["an unknown card is captured", pendingHold, "pending", "authorized", ["pending", "authorized"]],
  ["an unknown card that asks a capture is captured", pending, "pending", "authorized", ["pending", "authorized"]],
  ["an unknown card is refused", pending, "pending", "failed", ["pending", "failed"]],
  ["a hold is captured", held, "pre_authorized", "authorized", ["pre_authorized", "authorized"]],
  ["a hold is voided", held, "pre_authorized", "voided", ["pre_authorized", "voided"]],
  ["a capture of a hold is unknown", held, "pre_authorized", "capture_pending", ["pre_authorized", "capture_pending"]],
  ["a void of a hold is unknown", held, "pre_authorized", "refund_pending", ["pre_authorized", "refund_pending"]],
  [
    "an unknown capture was done",
    captureUnknown,
    "capture_pending",
    "authorized",
    ["pre_authorized", "capture_pending", "authorized"],
  ],
  [
    "an unknown capture was refused",
    captureUnknown,
    "capture_pending",
    "pre_authorized",
    ["pre_authorized", "capture_pending", "pre_authorized"],
  ],
  [
    "an unknown capture met no hold",
    captureUnknown,
    "capture_pending",
    "voided",
    ["pre_authorized", "capture_pending", "voided"],
  ],
  ["captured money goes back", sold, "authorized", "voided", ["authorized", "voided"]],
  ["captured money is going back", sold, "authorized", "refund_pending", ["authorized", "refund_pending"]],
  ["captured money is disputed", sold, "authorized", "charged_back", ["authorized", "dispute", "charged_back"]],
  ["a refund ends", refundPending, "refund_pending", "voided", ["authorized", "refund_pending", "voided"]],
  [
    "a refund is refused",
    refundPending,
    "refund_pending",
    "authorized",
    ["authorized", "refund_pending", "revert_void"],
  ],
  [
    "an unknown void was refused",
    voidUnknown,
    "refund_pending",
    "pre_authorized",
    ["pre_authorized", "refund_pending", "pre_authorized"],
  ],
  [
    "a dispute is won",
    disputed,
    "charged_back",
    "authorized",
    ["authorized", "dispute", "charged_back", "dispute_closed", "authorized"],
  ],
];

describe("POST /v1/charges/{id}", () => {
  test.each(FORCED)("200: %s", async (_, make, from, to, events) => {
    const shop = await openShop();
    const charge = await make(shop);
    expect(charge.status).toBe(from);
    const reply = await force(shop, charge.id, to);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body.status).toBe(to);
    expect((await shop.charge(charge.id)).status).toBe(to);
    const told = await systemSql()<{ event: string }[]>`
      select event from events where entity_id = ${charge.id} order by entity_version`;
    expect(told.map(({ event }) => event)).toEqual(events);
    const wrong = await systemSql()`
      select j.id from journals j join postings p on p.journal_id = j.id where j.charge_id = ${charge.id}
       group by j.id having sum(p.amount) <> 0`;
    expect(wrong).toHaveLength(0);
  });

  test("200: what was started ends by itself as the simulator says", async () => {
    const shop = await openShop();
    const [capturing, voiding, refunding] = [await held(shop), await held(shop), await sold(shop)];
    await force(shop, capturing.id, "capture_pending");
    await force(shop, voiding.id, "refund_pending");
    await force(shop, refunding.id, "refund_pending");
    await shop.advance("P1DT1H");
    const ends = [capturing, voiding, refunding].map(async ({ id }) => (await shop.charge(id)).status);
    expect(await Promise.all(ends)).toEqual(["authorized", "voided", "voided"]);
  });

  test.each(["created", "processed", "pre_authorized"])("200: %s changes nothing on a hold", async (status) => {
    const shop = await openShop();
    const charge = await held(shop);
    const reply = await force(shop, charge.id, status);
    expect([reply.status, reply.body]).toEqual([200, charge]);
  });

  test("400: every move that a charge cannot make", async () => {
    const shop = await openShop();
    const failed = await card("decline:generic")(shop);
    const voided = await after(held, (_, id) => force(shop, id, "voided"))(shop);
    const refused: [ChargeReply, string[]][] = [
      [await pix(shop), ["pre_authorized", "capture_pending", "voided", "charged_back", "refund_pending"]],
      [await pending(shop), ["canceled", "capture_pending", "voided", "charged_back", "refund_pending"]],
      [await held(shop), ["pending", "failed", "canceled", "charged_back"]],
      [await sold(shop), ["pending", "pre_authorized", "failed", "canceled", "capture_pending"]],
      [failed, ["pending", "pre_authorized", "authorized", "canceled", "voided"]],
      [voided, ["pending", "pre_authorized", "authorized", "failed"]],
      [await disputed(shop), ["pending", "voided", "failed", "refund_pending"]],
    ];
    for (const [charge, targets] of refused) {
      for (const target of targets) {
        const reply = await force(shop, charge.id, target);
        expect([charge.status, target, reply.status, reply.error?.businessCode]).toEqual([
          charge.status,
          target,
          400,
          "invalid_status_transition",
        ]);
      }
    }
  });

  test("400 for a status nobody knows, 404 for another account's charge and on a live account, 403 for a public key", async () => {
    const [shop, other] = await Promise.all([openShop(), openShop()]);
    const { id } = await pix(shop);
    expect((await force(shop, id, "paid")).error?.type).toBe("bad_request");
    expect((await force(other, id, "authorized")).status).toBe(404);
    const live = await openClient({ mode: "live" });
    expect((await force({ call: live.call } as Shop, id, "authorized")).status).toBe(404);
    const key = await shop.publicKey("*");
    expect((await shop.call("POST", `/v1/charges/${id}`, { key, body: { status: "authorized" } })).status).toBe(403);
    expect((await shop.charge(id)).status).toBe("pending");
  });
});
