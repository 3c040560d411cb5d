import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { systemSql, vaultSql } from "@/db/client";
import { resume } from "@/lib/charges/engine/settle";
import { providerFor } from "@/lib/providers/registry";
import { openShop, type Shop, THREE_DS } from "@/lib/providers/sandbox/api/testing";
import { sandboxPan } from "@/lib/reference/sandbox-pans";
import { MIRROR } from "@/lib/testing/mirror/adapter";
import { type MirrorServer, startMirror } from "@/lib/testing/mirror/server";
import { deliver, joinMirror, lowerOthers, type MirrorAccount, registerMirror } from "@/lib/testing/mirror/shop";
import { capture, voidIt } from "@/lib/testing/payments";
import { buy, readPurchase, work } from "@/lib/testing/purchases";
import { ticketOf } from "@/lib/three-ds/ticket";
import { deleteCvv } from "@/lib/vault/cvv";

let mirror: MirrorServer;
beforeAll(async () => {
  mirror = await startMirror();
  registerMirror(mirror.url);
});
afterAll(() => mirror.close());
afterEach(() => {
  vi.restoreAllMocks();
});

interface Mirrored extends Shop {
  account: MirrorAccount;
  told(how?: Parameters<typeof deliver>[2]): Promise<void>;
}

async function mirrored(isFirst = true): Promise<Mirrored> {
  const shop = await openShop();
  const account = await joinMirror(shop, isFirst ? 1 : 2);
  if (isFirst) await lowerOthers(shop);
  return {
    ...shop,
    account,
    async told(how) {
      await deliver(mirror, account, how);
      await shop.advance("PT1S");
    },
  };
}

const sql = systemSql();
const PAN = sandboxPan("approve");
const card = (cardHolderName: string) => ({
  paymentSource: {
    sourceType: "card",
    card: { cardHolderName, cardNumber: PAN, cardCvv: "120", cardExpirationDate: "12/2031" },
  },
});
const tokenOf = async (chargeId: string) => {
  const [row] = await sql<{ client: string; token: string }[]>`
    select client_id as client, cvv_token_id as token from charges where id = ${chargeId}`;
  if (!row) throw new Error("no such charge");
  return row;
};
/** Seconds for which the CVV of a charge is still kept; null when it is gone. */
const cvvs = async (chargeId: string): Promise<number | null> => {
  const { client, token } = await tokenOf(chargeId);
  return vaultSql().begin(async (vault) => {
    await vault`select set_config('app.client_id', ${client}, true)`;
    const [row] = await vault`
      select extract(epoch from expires_at - now())::int as left from vault.card_cvv where token_id = ${token}`;
    return row ? Number(row.left) : null;
  });
};
const references = (chargeId: string) => sql<{ reference: string; provider_type: string }[]>`
  select reference, provider_type from transaction_requests where charge_id = ${chargeId} and kind = 'authorize'`;
const authorizations = async (chargeId: string) => {
  const rows = await references(chargeId);
  return rows.reduce((sum, { reference }) => sum + mirror.authorizations(reference), 0);
};
const steps = (chargeId: string) =>
  mirror.requests.filter(({ charge }) => charge === chargeId).map(({ operation }) => operation);

describe("an authorization at a provider that can be asked nothing", () => {
  test.for(["create", "confirm"] as const)(
    "answer of %s lost: the replay finds it, and authorizes once",
    async (step) => {
      const shop = await mirrored();
      mirror.plan("lost_after", step);
      const { id, status } = (await shop.pay(PAN, { capture: false, ...card("approve") })).body;
      expect(status).toBe("pending");
      expect(await cvvs(id)).toBeGreaterThan(6_000);
      await shop.advance("PT1M");
      expect((await shop.charge(id)).status).toBe("pre_authorized");
      expect(await authorizations(id)).toBe(1);
      expect(await cvvs(id)).toBeNull();
      expect(steps(id).filter((one) => one === "create")).toHaveLength(step === "create" ? 2 : 1);
    },
  );

  test("lost before it was confirmed: the id that was noted is confirmed, and nothing is created again", async () => {
    const shop = await mirrored();
    mirror.plan("lost_before", "confirm");
    const { id } = (await shop.pay(PAN, { capture: false, ...card("approve") })).body;
    const [attempt] = await sql`select transaction_id, state from transaction_requests where charge_id = ${id}`;
    expect(attempt).toMatchObject({ state: "undetermined", transaction_id: expect.stringMatching(/^mir_/) });
    await shop.advance("PT1M");
    expect((await shop.charge(id)).status).toBe("pre_authorized");
    expect(steps(id)).toEqual(["create", "confirmations"]);
  });

  test("a stored notification answers before any replay", async () => {
    const shop = await mirrored();
    mirror.plan("lost_after", "confirm");
    const { id } = (await shop.pay(PAN, { capture: false, ...card("approve") })).body;
    await deliver(mirror, shop.account, { copies: 2 });
    await shop.advance("PT1S");
    expect((await shop.charge(id)).status).toBe("pre_authorized");
    expect(steps(id)).toEqual(["create", "confirmations"]);
  });

  test("answered to a worker that was held up past its lease: whoever took over replays it with the CVV", async () => {
    const shop = await mirrored();
    const acquirer = providerFor(MIRROR);
    const authorize = acquirer.authorize.bind(acquirer);
    vi.spyOn(acquirer, "authorize").mockImplementationOnce(async (call, input) => {
      const answer = await authorize(call, input);
      await sql`update charges set lease_until = now() - interval '1 second' where id = ${call.chargeId}`;
      await resume(await shop.context(), call.chargeId);
      return answer;
    });
    const { id, status } = (await shop.pay(PAN, { capture: false, ...card("approve") })).body;
    expect(status).toBe("pending");
    await shop.advance("PT1M");
    expect((await shop.charge(id)).status).toBe("pre_authorized");
    expect(await authorizations(id)).toBe(1);
    expect(await cvvs(id)).toBeNull();
  });

  test("of a purchase that people look into: nothing is replayed", async () => {
    const shop = await mirrored();
    mirror.plan("lost_before", "confirm");
    const { id } = (await buy({ client: shop, merchant: { id: shop.merchantId, providerId: shop.providerId } })).body;
    await work(shop);
    const chargeId = (await readPurchase(shop, id)).payments[0]?.chargeId ?? "";
    await sql`update purchase_operations set idle_claims = 10, run_at = now() - interval '1 second' where purchase_id = ${id}`;
    await work(shop);
    expect((await readPurchase(shop, id)).pendingReview?.reason).toBe("claims_exhausted");
    await shop.advance("PT1M");
    expect(steps(chargeId)).toEqual(["create"]);
    expect(await authorizations(chargeId)).toBe(0);
  });

  test("without its CVV nothing is replayed; what was told settles it", async () => {
    const shop = await mirrored();
    mirror.plan("lost_after", "confirm");
    const { id } = (await shop.pay(PAN, { capture: false, ...card("approve") })).body;
    const { client, token } = await tokenOf(id);
    await deleteCvv(client, token);
    await shop.advance("PT10M");
    expect((await shop.charge(id)).status).toBe("pending");
    expect(steps(id)).toEqual(["create", "confirmations"]);
    await shop.told();
    expect((await shop.charge(id)).status).toBe("pre_authorized");
  });

  test("a replay that is lost, throttled or refused says nothing; after the schedule people look", async () => {
    const shop = await mirrored();
    mirror.plan("lost_before", "confirm");
    const { id } = (await shop.pay(PAN, { capture: false, ...card("approve") })).body;
    for (const fault of ["rate_limited", "http_500", "truncated"] as const) mirror.plan(fault, "confirm");
    await shop.advance("PT10S");
    expect((await shop.charge(id)).status).toBe("pending");
    await shop.advance("PT10M");
    expect((await shop.charge(id)).status).toBe("pre_authorized");
    expect(await authorizations(id)).toBe(1);
  });

  test("a decline that a replay brings is a decline: the next provider is tried, with the CVV", async () => {
    const shop = await mirrored();
    mirror.plan("lost_after", "confirm");
    const { id } = (await shop.pay(PAN, { capture: false, ...card("decline:insufficient_funds") })).body;
    await shop.advance("PT1M");
    const charge = await shop.charge(id);
    expect(charge).toMatchObject({ status: "pre_authorized", responsibleProviderType: "SANDBOX" });
    expect(charge.transactionRequests).toHaveLength(2);
    expect(await authorizations(id)).toBe(0);
    const [answered] = await sql<{ checked: string }[]>`
      select response::jsonb ->> 'cvvChecked' as checked from sandbox_calls
       where charge_id = ${id} and operation = 'authorize'`;
    expect(answered?.checked).toBe("true");
    expect(await cvvs(id)).toBeNull();
  });
});

describe("failover", () => {
  test("from SANDBOX to MIRROR after a decline that allows it, with the CVV", async () => {
    const shop = await mirrored(false);
    const { id, status } = (await shop.pay(sandboxPan("decline:insufficient_funds"), { capture: false })).body;
    expect(status).toBe("pre_authorized");
    expect((await references(id)).map((one) => one.provider_type).sort()).toEqual(["MIRROR", "SANDBOX"]);
    expect(await authorizations(id)).toBe(1);
  });

  test("from SANDBOX to MIRROR where the answer is lost: the replay still has the CVV", async () => {
    const shop = await mirrored(false);
    mirror.plan("lost_after", "confirm");
    const { id, status } = (await shop.pay(sandboxPan("decline:insufficient_funds"), { capture: false })).body;
    expect(status).toBe("pending");
    await shop.advance("PT1M");
    expect((await shop.charge(id)).status).toBe("pre_authorized");
    expect(await authorizations(id)).toBe(1);
    expect(await cvvs(id)).toBeNull();
  });

  test("from MIRROR to SANDBOX", async () => {
    const shop = await mirrored();
    const { id, status } = (await shop.pay(PAN, { capture: true, ...card("decline:insufficient_funds") })).body;
    expect(status).toBe("authorized");
    expect(await authorizations(id)).toBe(0);
    expect(await cvvs(id)).toBeNull();
  });
});

describe("asynchronous changes", () => {
  const held = async (shop: Mirrored, name = "approve") =>
    (await shop.pay(PAN, { capture: false, ...card(name) })).body.id;

  test("a capture is received, and done when the notification says so", async () => {
    const shop = await mirrored();
    const id = await held(shop);
    expect((await capture(shop, id)).body.status).toBe("capture_pending");
    await shop.advance("PT2M");
    expect((await shop.charge(id)).status).toBe("capture_pending");
    await shop.told({ copies: 2 });
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 10_000 });
  });

  test("a capture answered with a lost connection is replayed under its key, and captures once", async () => {
    const shop = await mirrored();
    const id = await held(shop);
    mirror.plan("lost_before", "captures");
    await capture(shop, id, { amount: 4_000 });
    await shop.advance("PT1M");
    await shop.told();
    expect(await shop.charge(id)).toMatchObject({ status: "authorized", capturedAmount: 4_000 });
    expect(mirror.transactions.find(({ charge }) => charge === id)?.captured).toBe(4_000);
  });

  test("a capture that fails later leaves the hold", async () => {
    const shop = await mirrored();
    const id = await held(shop, "capture_fails_later");
    await capture(shop, id);
    await shop.told();
    expect((await shop.charge(id)).status).toBe("pre_authorized");
  });

  test("a void is done when the notification says so, and one that fails leaves the hold", async () => {
    const shop = await mirrored();
    const [done, failed] = [await held(shop), await held(shop, "void_fails_later")];
    for (const id of [done, failed]) expect((await voidIt(shop, id)).body.status).toBe("refund_pending");
    await shop.told();
    expect((await shop.charge(done)).status).toBe("voided");
    expect((await shop.charge(failed)).status).toBe("pre_authorized");
  });

  test("a refund that fails a day later gives the amount back", async () => {
    const shop = await mirrored();
    const ids = [await held(shop, "refund_pending_done"), await held(shop, "refund_pending_failed")];
    for (const id of ids) await capture(shop, id);
    await shop.told();
    for (const id of ids) expect((await voidIt(shop, id)).body.status).toBe("refund_pending");
    await shop.told();
    for (const id of ids) expect((await shop.charge(id)).status).toBe("refund_pending");
    await shop.advance("PT25H");
    mirror.passTime(new Date((await shop.advance("PT1S")).now));
    await shop.told();
    const [done, failed] = await Promise.all(ids.map((id) => shop.charge(id)));
    expect(done).toMatchObject({ status: "voided", refundedAmount: 10_000 });
    expect(failed).toMatchObject({ status: "authorized", refundedAmount: 0 });
    expect(failed?.transactionRequests.map(({ requestType }) => requestType)).toContain("revert_void");
  });
});

test.for([
  ["authenticated", "pre_authorized"],
  ["failed", "failed"],
] as const)("a challenge that ended %s is continued with what the browser brought back", async ([details, status]) => {
  const shop = await mirrored();
  const { id } = (await shop.pay(PAN, { capture: false, threeDSecure2: THREE_DS, ...card("approve") })).body;
  const charge = await shop.charge(id);
  expect(charge.threeDSecure2).toMatchObject({ authData: { response: { url: expect.stringContaining("issuer") } } });
  const [attempt] = await sql<{ id: string }[]>`
    select id from transaction_requests where charge_id = ${id} and kind = 'authorize'`;
  const query = { ticket: ticketOf(attempt?.id ?? ""), redirectResult: details };
  const back = await shop.call("GET", `/v1/charges/${id}/3ds/return`, { query, key: null, clientId: null });
  expect(back.status).toBe(303);
  expect((await shop.charge(id)).status).toBe(status);
  expect(steps(id)).toEqual(["create", "confirmations", "continuations"]);
  expect(await cvvs(id)).toBeNull();
});

test("a challenge whose end was sent on and not answered is no failure when its time is over", async () => {
  const shop = await mirrored();
  const { id } = (await shop.pay(PAN, { capture: false, threeDSecure2: THREE_DS, ...card("approve") })).body;
  const [attempt] = await sql<{ id: string }[]>`
    select id from transaction_requests where charge_id = ${id} and kind = 'authorize'`;
  mirror.faultOf = ({ charge, step }) => (charge === id && step === "continue" ? "lost_after" : undefined);
  const query = { ticket: ticketOf(attempt?.id ?? ""), redirectResult: "authenticated" };
  await shop.call("GET", `/v1/charges/${id}/3ds/return`, { query, key: null, clientId: null });
  await shop.advance("PT16M");
  expect((await shop.charge(id)).status).toBe("pending");
  mirror.faultOf = undefined;
  await shop.advance("PT1H");
  expect((await shop.charge(id)).status).toBe("pre_authorized");
  expect(await authorizations(id)).toBe(1);
});

test("the network's id of a card's first payment goes with a later one, and its absence is told", async () => {
  const shop = await mirrored();
  const recurring = (recurrence: string) => ({ capture: false, paymentMethod: { paymentType: "credit", recurrence } });
  const first = (await shop.pay(PAN, { ...recurring("initial"), ...card("approve") })).body;
  const [stored] = await sql<{ card: string; known: string }[]>`
    select c.card_id as card, k.network_transaction_id as known
      from charges c join card_credentials k on k.card_id = c.card_id and k.merchant_id = c.merchant_id
     where c.id = ${first.id}`;
  await shop.advance("PT1M");
  const again = { paymentSource: { sourceType: "card", cardId: stored?.card } };
  const later = (await shop.pay(PAN, { ...recurring("subsequent"), ...again })).body;
  expect(later.status).toBe("pre_authorized");
  const sent = mirror.requests.find(({ charge, operation }) => charge === later.id && operation === "create");
  expect(sent?.request).toMatchObject({ recurrence: "subsequent", networkTransactionId: stored?.known });
  expect(later.transactionRequests[0]?.requestStatusReason).toBeNull();
  const unknown = (await shop.pay(PAN, { ...recurring("unscheduled"), ...card("approve") })).body;
  expect(unknown.transactionRequests[0]?.requestStatusReason).toBe("no_network_id");
});

test("debit is sold in one call, and never held", async () => {
  const shop = await mirrored();
  const debit = { paymentMethod: { paymentType: "debit" }, ...card("approve") };
  const sold = (await shop.pay(PAN, { capture: true, ...debit })).body;
  expect(sold).toMatchObject({ status: "authorized", capturedAmount: 10_000, responsibleProviderType: "MIRROR" });
  expect(steps(sold.id)).toEqual(["create", "confirmations"]);
  const held = (await shop.pay(PAN, { capture: false, ...debit })).body;
  expect(held).toMatchObject({ status: "pre_authorized", responsibleProviderType: "SANDBOX" });
});
