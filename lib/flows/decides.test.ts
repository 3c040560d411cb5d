import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemSql } from "@/db/client";
import { queryCharge, resume } from "@/lib/charges/engine/settle";
import { inSnapshot } from "@/lib/context";
import { healthOfProviders } from "@/lib/flows/provider-health";
import { reportCall, UNSENT_TO_OPEN } from "@/lib/payments/routing/health";
import { forgetMeasures } from "@/lib/payments/routing/measures";
import type { PaymentProvider } from "@/lib/providers/provider";
import { providerFor } from "@/lib/providers/registry";
import { THREE_DS } from "@/lib/providers/sandbox/api/testing";
import { aKey, openClient } from "@/lib/testing/api";
import {
  addProvider,
  openToken,
  payByCard,
  payByPix,
  readCharge,
  type Shop,
  withMerchant,
} from "@/lib/testing/payments";
import { proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { work } from "@/lib/testing/purchases";
import { addSeconds, realNow } from "@/lib/time";

const sql = systemSql();
const sandbox = providerFor("SANDBOX");

let shop: Shop;
let first: string;
let second: string;
let third: string;

beforeEach(async () => {
  shop = await withMerchant(await openClient());
  first = shop.merchant.providerId;
  second = await addProvider(shop, { name: "Second", priority: 2 });
  third = await addProvider(shop, { name: "Third", priority: 3 });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const to = (id: string, more: Record<string, unknown> = {}) => ({ rule: "provider", id, ...more });
const when = (field: string, operator: string, value: unknown, yes: unknown[], no: unknown[] = []) => ({
  rule: "condition",
  id: `${field}`.replaceAll(".", "-"),
  if: { field, operator, value },
  then: yes,
  else: no,
});

const activate = (root: unknown[], paymentMethod = "credit") =>
  shop.client.make<{ id: string; flow: { version: string } }>("POST", "/v1/flows", {
    body: { name: "Cards", paymentMethod, merchantId: shop.merchant.id, status: "active", flow: { root } },
  });

const recordOf = async (chargeId: string) => {
  const [record] = await sql`select * from routing_decisions where charge_id = ${chargeId}`;
  return record ?? {};
};

const triedBy = async (id: string): Promise<(string | null)[]> =>
  (await readCharge(shop.client, id)).transactionRequests.map(({ providerId }) => providerId).toReversed();

const NOT_REACHED = { kind: "not_sent", cause: "connect_refused" } as const;

/** As many calls as open its circuit. */
async function unreached(id: string): Promise<void> {
  const ctx = await shop.client.context();
  for (let call = 0; call < UNSENT_TO_OPEN; call++) await reportCall(ctx, { id, circuitUntil: null }, NOT_REACHED);
}

/** As if its time were over. */
const halfOpen = (id: string) => sql`
  update providers set circuit_until = now() - interval '1 millisecond' where id = ${id} and circuit_until is not null`;

/** What is begun while somebody holds the provider: all have read it by then, and wait for each other. */
async function racing<T>(id: string, begin: () => Promise<T>[]): Promise<T[]> {
  const { begun } = await sql.begin(async (tx) => {
    await tx`select 1 from providers where id = ${id} for no key update`;
    const begun = begin();
    const waiting = () =>
      sql`select 1 from pg_locks l join pg_stat_activity a using (pid)
           where not l.granted and a.datname = current_database()`;
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(begun.length), 10_000);
    return { begun };
  });
  return Promise.all(begun);
}

/** The first card payment from here on is answered when this holds. */
const answersOnce = (held: () => unknown) =>
  vi.spyOn(sandbox, "authorize").mockImplementationOnce(async (call, input) => {
    await vi.waitFor(held, 10_000);
    const signal = AbortSignal.timeout(10_000);
    return real({ ...call, signal, deadline: addSeconds(realNow(), 10) }, input);
  });

const circuitUntil = async (id: string) =>
  (await sql`select circuit_until from providers where id = ${id}`)[0]?.circuit_until;

describe("the circuit of a provider", () => {
  test("once its time is over lets one new payment through to try, and closes when that reaches it", async () => {
    await activate([to(second), to(third)]);
    await unreached(second);
    expect(await triedBy((await payByCard(shop)).body.id)).toEqual([third]);
    await halfOpen(second);
    let others: string[] = [];
    vi.spyOn(sandbox, "authorize").mockImplementationOnce(async (...call) => {
      // While the first one is on its way, the others go elsewhere.
      others = [(await payByCard(shop)).body.id];
      return real(...call);
    });
    const probe = await payByCard(shop);
    expect(await triedBy(probe.body.id)).toEqual([second]);
    expect(await triedBy(others[0] ?? "")).toEqual([third]);
    expect(await circuitUntil(second)).toBeNull();
    expect(await triedBy((await payByCard(shop)).body.id)).toEqual([second]);
  });

  test("opens again when the one that tries does not reach it, and that one goes elsewhere", async () => {
    await activate([to(second), to(third)]);
    await unreached(second);
    await halfOpen(second);
    vi.spyOn(sandbox, "authorize").mockImplementationOnce(async () => NOT_REACHED);
    expect(await triedBy((await payByCard(shop)).body.id)).toEqual([second, third]);
    expect(await circuitUntil(second)).toBeInstanceOf(Date);
    expect((await recordOf((await payByCard(shop)).body.id)).skipped).toEqual([{ id: second, why: "circuit_open" }]);
  });

  test("is raced for: who loses goes elsewhere, and is tried where nobody else is left", async () => {
    await unreached(first);
    await halfOpen(first);
    const lost = () => sql`
      select 1 from transaction_requests where provider_id = ${first} and state = 'not_sent'`;
    answersOnce(async () => expect(await lost()).toHaveLength(1));
    const cards = await racing(first, () => [payByCard(shop), payByCard(shop)]);
    const tried = await Promise.all(cards.map(({ body }) => triedBy(body.id)));
    expect(tried.toSorted((a, b) => a.length - b.length)).toEqual([[first], [first, second]]);
    for (const id of [second, third])
      await shop.client.make("PATCH", `/v1/providers/${id}`, { body: { paused: true } });
    await unreached(first);
    await halfOpen(first);
    vi.restoreAllMocks();
    const asked = answersOnce(() => expect(asked).toHaveBeenCalledTimes(2));
    const alone = await racing(first, () => [payByCard(shop), payByCard(shop)]);
    expect(alone.map(({ body }) => body.status)).toEqual(["pre_authorized", "pre_authorized"]);
  });

  test("counts by priority too, where anybody else is left", async () => {
    await unreached(first);
    const { body } = await payByCard(shop);
    expect(await triedBy(body.id)).toEqual([second]);
    expect((await recordOf(body.id)).skipped).toEqual([{ id: first, why: "circuit_open" }]);
    for (const id of [second, third])
      await shop.client.make("PATCH", `/v1/providers/${id}`, { body: { paused: true } });
    const alone = await payByCard(shop);
    expect([alone.body.status, await triedBy(alone.body.id)]).toEqual(["pre_authorized", [first]]);
    expect(await circuitUntil(first)).toBeNull();
  });
});

test("the health of providers counts what was approved, what never left, and how unknowns ended", async () => {
  await activate([to(second), to(third)]);
  await payByCard(shop);
  vi.spyOn(sandbox, "authorize").mockImplementationOnce(async () => NOT_REACHED);
  await payByCard(shop);
  vi.spyOn(sandbox, "authorize").mockImplementationOnce(async (...call) => {
    await real(...call);
    return { kind: "undetermined", cause: "timeout" };
  });
  const unknown = await payByCard(shop);
  const ctx = await shop.client.context();
  const seen = () => inSnapshot(ctx, healthOfProviders);
  const open = await seen();
  expect(open.get(second)?.unanswered).toMatchObject({ n: 1, open: 1 });
  await queryCharge(ctx, unknown.body.id);
  const health = await seen();
  expect(health.get(second)).toMatchObject({ approved: 3, unanswered: { n: 1, approved: 1, open: 0 } });
  expect(health.get(third)).toBeUndefined();
});

describe("the active flow decides", () => {
  test("by what is known of the payment; the charge shows which version did, and the record how", async () => {
    const tier = when("paymentFlow.metadata.tier", "eq", "GOLD", [to(third)]);
    const { id } = await activate([when("amount", "gte", 50_000, [to(second), tier], [to(third)])]);
    const large = await payByCard(shop, {
      amount: 50_000,
      changes: { paymentFlow: { metadata: { tier: "gold" } } },
    });
    expect(large.body.paymentFlow).toEqual({ id, version: "1.0.0", metadata: { tier: "gold" } });
    expect(await triedBy(large.body.id)).toEqual([second]);
    expect(await recordOf(large.body.id)).toMatchObject({
      flow_id: id,
      flow_version: "1.0.0",
      path: ["amount:then", second, "paymentFlow-metadata-tier:then", third],
      providers: [second, third],
      skipped: [],
    });
    const small = await payByCard(shop, { amount: 49_999 });
    expect(small.body.paymentFlow).toEqual({ id, version: "1.0.0", metadata: {} });
    expect(await triedBy(small.body.id)).toEqual([third]);
    const pix = await payByPix(shop);
    expect(pix.body.paymentFlow).toBeNull();
    expect(await recordOf(pix.body.id)).toMatchObject({ path: ["merchant_priorities"], flow_id: null });
  });

  test("a way without providers goes on by priority, and says so", async () => {
    const { id } = await activate([when("amount", "gt", 1_000_000, [to(third)])]);
    const { body } = await payByCard(shop);
    expect(await triedBy(body.id)).toEqual([first]);
    expect(await recordOf(body.id)).toMatchObject({
      flow_id: id,
      path: ["amount:else", "merchant_priorities"],
      providers: [first, second, third],
    });
  });

  test("passes over who is paused or cannot be reached; nobody left is a refusal, not a look at priorities", async () => {
    await activate([to(second), to(third)]);
    await shop.client.make("PATCH", `/v1/providers/${second}`, { body: { paused: true } });
    const { body } = await payByCard(shop);
    expect(await triedBy(body.id)).toEqual([third]);
    expect((await recordOf(body.id)).skipped).toEqual([{ id: second, why: "paused" }]);
    await unreached(third);
    const refused = await payByCard(shop);
    expect([refused.status, refused.error?.businessCode, refused.error?.details]).toEqual([
      400,
      "provider_not_available",
      [`${second}: paused`, `${third}: circuit_open`],
    ]);
    const merchant = await shop.client.make<{ providers: Record<string, unknown>[] }>(
      "GET",
      `/v1/merchants/${shop.merchant.id}`,
    );
    expect(merchant.providers.map(({ paused }) => paused)).toEqual([undefined, true, undefined]);
    await shop.client.make("PATCH", `/v1/providers/${second}`, { body: { paused: false } });
    expect(await triedBy((await payByCard(shop)).body.id)).toEqual([second]);
  });

  test("a paused provider gets nothing by priority either", async () => {
    await shop.client.make("PATCH", `/v1/providers/${first}`, { body: { paused: true } });
    const { body } = await payByCard(shop);
    expect(await triedBy(body.id)).toEqual([second]);
    expect((await recordOf(body.id)).skipped).toEqual([{ id: first, why: "paused" }]);
  });

  test("a provider that it names is not deleted without force; afterwards it is passed over", async () => {
    await activate([to(second), to(third)]);
    const refused = await shop.client.call("DELETE", `/v1/providers/${second}`);
    expect([refused.status, refused.error?.businessCode]).toEqual([409, "provider_in_use"]);
    expect((await shop.client.call("DELETE", `/v1/providers/${second}`, { query: { force: "true" } })).status).toBe(
      204,
    );
    const { body } = await payByCard(shop);
    expect(await triedBy(body.id)).toEqual([third]);
    expect((await recordOf(body.id)).skipped).toEqual([{ id: second, why: "deleted" }]);
  });

  test("a provider of another merchant of the flow is passed over", async () => {
    const other = await withMerchant(shop.client);
    const merchants = [{ merchantId: shop.merchant.id }, { merchantId: other.merchant.id }];
    const root = [to(other.merchant.providerId), to(second)];
    const body = { name: "Both", paymentMethod: "credit", merchants, status: "active", flow: { root } };
    await shop.client.make("POST", "/v1/flows", { body });
    const paid = await payByCard(shop);
    expect(await triedBy(paid.body.id)).toEqual([second]);
    expect((await recordOf(paid.body.id)).skipped).toEqual([{ id: other.merchant.providerId, why: "other_merchant" }]);
    expect(await triedBy((await payByCard(other)).body.id)).toEqual([other.merchant.providerId]);
  });

  test("who analyses is said by the way alone, also for a merchant that has an analyst", async () => {
    const analyst = await addProvider(shop, {
      name: "Analyst",
      priority: 9,
      credentials: { type: "SANDBOX_ANTIFRAUD", apiKey: "any text" },
      options: { type: "ANTIFRAUD", productType: "SYNC" },
    });
    const fraudAnalysis = { customer: { identity: "52998224725" } };
    const before = await payByCard(shop, { changes: { fraudAnalysis } });
    expect(await recordOf(before.body.id)).toMatchObject({ fraud_provider: analyst });
    await activate([when("amount", "gte", 50_000, [{ rule: "antifraud", id: analyst }]), to(first)]);
    const large = await payByCard(shop, { amount: 50_000, changes: { fraudAnalysis } });
    expect(await recordOf(large.body.id)).toMatchObject({ fraud_provider: analyst, providers: [first] });
    const small = await payByCard(shop, { changes: { fraudAnalysis } });
    expect((await recordOf(small.body.id)).fraud_provider).toBeNull();
  });
});

test("an order by approval follows what the providers did, and the record keeps what it was made of", async () => {
  const best = { rule: "best", id: "b", ids: [first, second], by: "approval", window: 10, explore: 0, minimum: 2 };
  await activate([best]);
  for (let payment = 0; payment < 2; payment++) {
    const { body } = await payByCard(shop, { scenario: "provider=1;outcome=decline:generic" });
    expect(await triedBy(body.id)).toEqual([first, second]);
  }
  forgetMeasures();
  const { body } = await payByCard(shop);
  expect(await triedBy(body.id)).toEqual([second]);
  expect(await recordOf(body.id)).toMatchObject({
    providers: [second, first],
    measures: { b: { [first]: { n: 2, value: 0 }, [second]: { n: 2, value: 1 } } },
  });
  const other = await payByCard(shop, { brand: "mastercard" });
  expect(await triedBy(other.body.id)).toEqual([first]);
});

describe("a challenge", () => {
  test("that is required, of a request that brought nothing for it: failed, and no acquirer is asked", async () => {
    const spy = vi.spyOn(sandbox, "authorize");
    await activate([when("amount", "gte", 50_000, [{ rule: "challenge", id: "c", mode: "required" }]), to(first)]);
    const { body } = await payByCard(shop, { amount: 50_000 });
    expect([body.status, body.error?.declinedCode]).toEqual(["failed", "authentication_error"]);
    expect(spy).not.toHaveBeenCalled();
    expect((await recordOf(body.id)).challenge).toBe("required");
    expect((await payByCard(shop)).body.status).toBe("pre_authorized");
  });

  test("is what the flow says, where the request brought what it needs", async () => {
    const challenge = (mode: string) => activate([{ rule: "challenge", id: "c", mode }, to(first)]);
    const pay = () => payByCard(shop, { outcome: "3ds_challenge_ok", changes: { threeDSecure2: THREE_DS } });
    await challenge("data_only");
    expect((await pay()).body.threeDSecure2).toMatchObject({ dataOnly: true });
    await challenge("required");
    expect((await pay()).body.threeDSecure2).toMatchObject({ dataOnly: false });
  });
});

describe("after a decline", () => {
  const declining = "provider=1;outcome=decline:generic";

  test("the alternative that the flow names for it comes first, then the rest", async () => {
    await activate([to(first, { on: { declined: ["generic"], then: [to(third)] } }), to(second)]);
    const { body } = await payByCard(shop, { scenario: declining });
    expect(await triedBy(body.id)).toEqual([first, third]);
    expect(body.status).toBe("pre_authorized");
    expect((await recordOf(body.id)).providers).toEqual([first, second]);
  });

  test("another code goes on with the rest", async () => {
    await activate([to(first, { on: { declined: ["try_again"], then: [to(third)] } }), to(second)]);
    expect(await triedBy((await payByCard(shop, { scenario: declining })).body.id)).toEqual([first, second]);
  });

  test("a worker that takes the charge over comes to the same alternative, whatever flow is active by then", async () => {
    await activate([to(first, { on: { declined: ["generic"], then: [to(third)] } }), to(second)]);
    dyingAfterAnswer();
    const id = await chargeOfDeadWorker(declining);
    await activate([to(second)]);
    const ctx = await shop.client.context();
    await resume(ctx, id);
    await queryCharge(ctx, id);
    expect(await triedBy(id)).toEqual([first, third]);
    expect((await readCharge(shop.client, id)).status).toBe("pre_authorized");
  });
});

class Died extends Error {}
const real: PaymentProvider["authorize"] = sandbox.authorize.bind(sandbox);

const dyingAfterAnswer = () =>
  vi.spyOn(sandbox, "authorize").mockImplementationOnce(async (...call) => {
    await real(...call);
    throw new Died();
  });

async function chargeOfDeadWorker(scenario?: string): Promise<string> {
  expect((await payByCard(shop, scenario ? { scenario } : {})).status).toBe(500);
  const [row] = await sql<{ id: string }[]>`
    update charges set lease_until = now() - interval '1 second'
     where client_id = ${shop.client.clientId} and lease_until is not null returning id`;
  return row?.id ?? "";
}

test(
  "killed between decision and send, with another flow activated meanwhile: nobody decides twice",
  async () => {
    const kills = proofRuns(3);
    const violations: string[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const [before, after] = kill % 2 === 0 ? [second, third] : [third, second];
      const { id: flowId } = await activate([to(before ?? ""), to(first)]);
      vi.spyOn(sandbox, "authorize").mockImplementationOnce(async () => {
        throw new Died();
      });
      const id = await chargeOfDeadWorker();
      await activate([to(after ?? "")]);
      const ctx = await shop.client.context();
      await resume(ctx, id);
      await queryCharge(ctx, id);
      const [record, tried, [count]] = [
        await recordOf(id),
        await triedBy(id),
        await sql`select count(*)::int as n from routing_decisions where charge_id = ${id}`,
      ];
      const isKept =
        record.flow_id === flowId && tried.every((one) => one === before || one === first) && count?.n === 1;
      if (!isKept) violations.push(`${id}: ${JSON.stringify({ record, tried })}`);
    }
    recordProof({ ran: kills, violations });
    expect(violations).toEqual([]);
  },
  proofTimeout(),
);

describe("a simulation", () => {
  const simulate = (body: Record<string, unknown>) =>
    shop.client.make<Record<string, unknown>>("POST", "/v1/flows/simulations", { body });

  test("says what a payment that was made would have come to, with what each condition saw", async () => {
    const { body } = await payByCard(shop, { amount: 50_000 });
    const flow = { root: [when("amount", "gte", 50_000, [to(second)], [to(third)]), to(first)] };
    expect(await simulate({ flow, chargeId: body.id })).toMatchObject({
      path: ["amount:then", second, first],
      providers: [second, first],
      reason: "flow",
      conditions: [{ id: "amount", field: "amount", operator: "gte", value: 50_000, seen: 50_000, holds: true }],
    });
  });

  test("takes described payments, and the side of a share that is asked about", async () => {
    const weights = [second, third].map((id) => ({ weight: 50, then: [to(id)] }));
    const { id } = await shop.client.make("POST", "/v1/flows", {
      body: {
        name: "Half",
        paymentMethod: "credit",
        merchantId: shop.merchant.id,
        flow: { root: [{ rule: "share", id: "half", weights }] },
      },
    });
    for (const [random, provider] of [
      [49, second],
      [50, third],
    ] as const) {
      expect((await simulate({ flowId: id, facts: { random } })).providers).toEqual([provider]);
    }
    const empty = await simulate({ flow: { root: [] }, facts: { merchantId: shop.merchant.id, paymentMethod: "pix" } });
    expect(empty).toMatchObject({ reason: "priorities", providers: [first, second, third] });
    const unsaid = await shop.client.call("POST", "/v1/flows/simulations", { body: { flow: { root: [] } } });
    expect(unsaid.status).toBe(400);
    const stranger = await openClient();
    const foreign = await stranger.call("POST", "/v1/flows/simulations", { body: { flowId: id, facts: {} } });
    expect(foreign.error?.businessCode).toBe("flow_not_found");
  });
});

test("the cards of a purchase are decided each by itself, and drawn for the purchase", async () => {
  const share = {
    rule: "share",
    id: "half",
    weights: [50, 50].map((weight, side) => ({ weight, then: [to(side === 0 ? second : third)] })),
  };
  const { id: flowId } = await activate([when("source", "eq", "purchase", [share], [to(first)])]);
  const payment = async (amount: number) => ({
    amount,
    paymentMethod: { paymentType: "credit" },
    paymentSource: { sourceType: "token", tokenId: await openToken(shop.client) },
  });
  const { id } = await shop.client.make("POST", "/v1/purchases", {
    body: {
      merchantId: shop.merchant.id,
      amount: 10_000,
      currency: "BRL",
      capture: false,
      payments: [await payment(6_000), await payment(4_000)],
    },
    idempotencyKey: aKey(),
  });
  await work(shop.client);
  const records = await sql`
    select d.path, d.facts, d.flow_id from routing_decisions d join charges c on c.id = d.charge_id where c.purchase_id = ${id}`;
  expect(records).toHaveLength(2);
  expect(records[0]?.path).toEqual(records[1]?.path);
  for (const { facts, flow_id } of records) expect([facts.unit, flow_id]).toEqual([id, flowId]);
});

test("what is kept of the buyer is no way back to the card", async () => {
  const { body } = await payByCard(shop);
  const { facts } = await recordOf(body.id);
  const [card] =
    await sql`select c.fingerprint from cards c join charges p on p.card_id = c.id where p.id = ${body.id}`;
  expect(facts.buyer).toMatch(/^[\w-]{16}$/);
  expect(JSON.stringify(facts)).not.toContain(card?.fingerprint);
  expect(facts.unit).toBe(body.id);
});
