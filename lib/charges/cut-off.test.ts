import { afterEach, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { queryCharge, resume } from "@/lib/charges/engine/settle";
import type { PaymentProvider } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { openShop } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { recoverCharges } from "@/lib/scheduler/recover";

const sandbox = providerFor("SANDBOX");
const sql = systemSql();

class CutOff extends Error {}

afterEach(() => {
  vi.restoreAllMocks();
});

const expireLeases = (clientId: string) =>
  sql`update charges set lease_until = now() - interval '1 second'
       where client_id = ${clientId} and lease_until is not null`;

/** Paid by a request that is cut off before the answer of its authorization is written. */
async function leftOpen() {
  const shop = await openShop();
  const authorize: PaymentProvider["authorize"] = sandbox.authorize.bind(sandbox);
  vi.spyOn(sandbox, "authorize").mockImplementationOnce(async (...call) => {
    await authorize(...call);
    throw new CutOff();
  });
  expect((await shop.pay(sandboxPan("approve"))).status).toBe(500);
  await expireLeases(shop.clientId);
  const [row] = await sql<{ id: string }[]>`select id from charges where client_id = ${shop.clientId}`;
  return { shop, id: row?.id ?? "", ctx: await shop.context() };
}

test("a worker that is cut off between the answer to its question and that of the next call leaves the charge to be found", async () => {
  const { shop, id, ctx } = await leftOpen();
  await resume(ctx, id);
  const capture: PaymentProvider["capture"] = sandbox.capture.bind(sandbox);
  vi.spyOn(sandbox, "capture").mockImplementationOnce(async (...call) => {
    await capture(...call);
    throw new CutOff();
  });
  await expect(queryCharge(ctx, id)).rejects.toThrow(CutOff);
  await expireLeases(shop.clientId);
  await recoverCharges();
  await shop.advance("PT2M");
  expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 10_000 });
});

test("a worker that is cut off while it sends what a dead one did not leaves the charge to be found", async () => {
  const { shop, id, ctx } = await leftOpen();
  await sql`update transaction_requests set state = 'not_sent' where charge_id = ${id}`;
  vi.spyOn(sandbox, "authorize").mockRejectedValueOnce(new CutOff());
  await expect(resume(ctx, id)).rejects.toThrow(CutOff);
  await expireLeases(shop.clientId);
  await recoverCharges();
  await shop.advance("PT2M");
  expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 10_000 });
});

test("a void that was cut off, of a hold that is found captured: the money is booked, and nothing goes back", async () => {
  const shop = await openShop();
  const { id } = (await shop.pay(sandboxPan("approve"), { capture: false })).body;
  vi.spyOn(sandbox, "void").mockRejectedValueOnce(new CutOff());
  expect((await shop.call("POST", `/v1/charges/${id}/void`, { body: {} })).status).toBe(500);
  await sql`
    update sandbox_transactions set state = 'captured', captured = authorized, captured_at = created_at
     where charge_id = ${id}`;
  await expireLeases(shop.clientId);
  await recoverCharges();
  await shop.advance("PT2M");
  expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 10_000, refundedAmount: 0 });
});

test("a Pix whose answer was lost is not given up because the question after it never left", async () => {
  const shop = await openShop();
  const create: PaymentProvider["createPix"] = sandbox.createPix.bind(sandbox);
  vi.spyOn(sandbox, "createPix")
    .mockImplementationOnce(async (...call) => {
      await create(...call);
      return { kind: "undetermined", cause: "timeout" };
    })
    .mockResolvedValueOnce({ kind: "not_sent", cause: "connect_refused" })
    .mockResolvedValueOnce({ kind: "not_sent", cause: "connect_refused" });
  const { id } = await shop.pix();
  await shop.advance("PT2M");
  const { status, paymentMethod } = await shop.charge(id);
  expect({ status, code: typeof paymentMethod.qrCodeData }).toEqual({ status: "pending", code: "string" });
});

test("a Pix that was sent again and may still be on its way is not given up, however long ago it was sent first", async () => {
  const shop = await openShop();
  const create: PaymentProvider["createPix"] = sandbox.createPix.bind(sandbox);
  let onItsWay: Parameters<PaymentProvider["createPix"]> | undefined;
  const sends = vi.spyOn(sandbox, "createPix").mockImplementation(async (...call) => {
    onItsWay = call;
    return { kind: "undetermined", cause: "timeout" };
  });
  await shop.make("POST", "/v1/sandbox/clock", { body: { advance: "PT0S", freeze: true } });
  const { id } = await shop.pix();
  await shop.advance("PT2M");
  await queryCharge(await shop.context(), id);
  await shop.advance("PT1S");
  // Past the late window of the first send, not of the newest.
  sends.mockResolvedValueOnce({ kind: "rejected", problem: "invalid_request", detail: "refused" });
  await queryCharge(await shop.context(), id);
  expect((await shop.charge(id)).status).toBe("pending");
  sends.mockRestore();
  if (onItsWay) await create(...onItsWay);
  await shop.advance("PT20M");
  const { status, paymentMethod } = await shop.charge(id);
  expect({ status, code: typeof paymentMethod.qrCodeData }).toEqual({ status: "pending", code: "string" });
});
