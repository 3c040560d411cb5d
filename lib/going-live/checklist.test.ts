import { beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import type { Context } from "@/lib/context";
import { CHECK_NAMES, type Check, type CheckName, type CheckState } from "@/lib/going-live/check";
import { checksIn, goingLive } from "@/lib/going-live/checklist";
import { MUST_BE_READ, mailOf } from "@/lib/going-live/people";
import { newId } from "@/lib/ids";
import { choose } from "@/lib/notices/choices";
import { NOTICES, type NoticeKind } from "@/lib/notices/kinds";
import type { OperatorAccount, OperatorRole } from "@/lib/operators/sessions";
import { newMerchant, newProvider, openClient, openMerchant, type TestClient } from "@/lib/testing/api";
import { payByCard, payByPix, type Shop, voidIt, withMerchant } from "@/lib/testing/payments";
import { person } from "@/lib/testing/people";
import { openSellers } from "@/lib/testing/sellers";

let client: TestClient;
let shop: Shop;
let owner: Context;
const seen = new Map<CheckName, Set<CheckState>>();

const stripe = (name = "Stripe", changes: Record<string, unknown> = {}) =>
  newProvider({
    name,
    priority: 2,
    credentials: { type: "STRIPE", environment: "test", secretKey: "sk_test_abc" },
    ...changes,
  });

async function checksOf(ctx: Context, others: readonly OperatorAccount[] = [], role: OperatorRole = "owner") {
  const checks = checksIn(await goingLive(ctx, role, others));
  for (const { name, state } of checks) seen.set(name, (seen.get(name) ?? new Set()).add(state));
  return checks;
}

const now = async (name: CheckName, others: readonly OperatorAccount[] = []): Promise<Check | undefined> =>
  (await checksOf(owner, others)).find((check) => check.name === name);

const operatorOf = ({ principal }: Context): string => (principal.kind === "operator" ? principal.operatorId : "");

const passkeyFor = (operatorId: string) => systemSql()`
  insert into passkeys (id, operator_id, credential_id, public_key, counter, transports, name, created_at)
  values (${newId()}, ${operatorId}, ${newId()}, '\\x00', 0, '{}', 'Laptop', now())`;

const accountOf = (account: TestClient, name: string): OperatorAccount => ({
  id: account.clientId,
  name,
  mode: account.mode,
  role: "owner",
  merchants: null,
  timeZone: null,
});

const delivery = (webhookId: string, status: "delivered" | "exhausted") => systemSql()`
  insert into webhook_deliveries (id, client_id, webhook_id, event_id, event, entity_id, entity_version,
                                  event_created_at, origin, status, attempts, created_at)
  values (${newId()}, ${client.clientId}, ${webhookId}, ${newId()}, 'transaction.paid', ${newId()}, 1, now(), 'event',
          ${status}, 1, clock_timestamp())`;

beforeAll(async () => {
  client = await openClient();
  shop = await withMerchant(client);
  owner = await person(client, "owner");
});

describe("each item is done while the account's rows say so", () => {
  test("second factors and owners: everybody's, and two of them", async () => {
    expect(await now("secondFactors")).toMatchObject({ state: "todo", count: 1, all: 1, names: ["owner"] });
    await passkeyFor(operatorOf(owner));
    expect(await now("secondFactors")).toMatchObject({ state: "done", count: 1 });
    expect(await now("owners")).toMatchObject({ state: "todo", detail: "ownersOne" });
    const second = operatorOf(await person(client, "owner"));
    expect(await now("owners")).toMatchObject({ state: "done", count: 2 });
    expect(await now("secondFactors")).toMatchObject({ state: "todo", count: 1, all: 2 });
    await systemSql()`
      insert into operator_sessions (id, operator_id, by_company_factor, created_at, last_seen_at, expires_at)
      values (${newId()}, ${second}, true, now(), now(), now())`;
    expect(await now("secondFactors")).toMatchObject({ state: "done", count: 2 });
    await systemSql()`update operators set is_disabled = true where id = ${second}`;
    expect(await now("owners")).toMatchObject({ state: "todo", count: 1 });
  });

  test("a live account: one that the reader belongs to, or this one", async () => {
    expect(await now("liveAccount")).toMatchObject({ state: "todo" });
    const live = await openClient({ mode: "live" });
    expect(await now("liveAccount", [accountOf(live, "Loja")])).toMatchObject({ state: "done", names: ["Loja"] });
    const [itself] = (await checksOf(await live.context())).filter(({ name }) => name === "liveAccount");
    expect(itself).toMatchObject({ state: "done", detail: "liveThis" });
  });

  test("e-mails: only a mail server delivers them", () => {
    expect(mailOf({ SMTP_URL: undefined })).toMatchObject({ state: "todo" });
    expect(mailOf({ SMTP_URL: "smtp://mail.example" })).toMatchObject({ state: "done" });
    seen.set("mail", new Set(["todo", "done"]));
  });

  test("notices: until nobody is written of one of them", async () => {
    expect(await now("notices")).toMatchObject({ state: "done" });
    const none = new Map<NoticeKind, { onDashboard: boolean; byEmail: boolean }>([
      ["chargeback", { onDashboard: true, byEmail: false }],
    ]);
    await choose(owner, "owner", none);
    expect(await now("notices")).toMatchObject({ state: "todo", kinds: ["chargeback"] });
    await person(client, "finance");
    expect(await now("notices")).toMatchObject({ state: "done" });
    expect(MUST_BE_READ.filter((kind) => !NOTICES[kind].byEmail)).toEqual([]);
  });

  test("secret keys: restricted, and called with", async () => {
    expect(await now("keysScoped")).toMatchObject({ state: "todo", count: 1 });
    expect(await now("keysInUse")).toMatchObject({ state: "done" });
    const own = client.clientId;
    await systemSql()`update api_keys set rights = '{"charges":"write"}' where client_id = ${own}`;
    expect(await now("keysScoped")).toMatchObject({ state: "done" });
    await systemSql()`update api_keys set created_at = now() - interval '91 days', last_used_at = null where client_id = ${own}`;
    expect(await now("keysInUse")).toMatchObject({ state: "todo", count: 1 });
    await systemSql()`update api_keys set last_used_at = now() where client_id = ${own}`;
    expect(await now("keysInUse")).toMatchObject({ state: "done" });
    await systemSql()`update api_keys set created_at = now() - interval '366 days' where client_id = ${own}`;
    expect(await now("keysInUse")).toMatchObject({ state: "todo" });
    await systemSql()`update api_keys set created_at = now(), rights = null where client_id = ${own}`;
  });

  test("public keys: none of them with every scope", async () => {
    expect(await now("publicKeys")).toMatchObject({ state: "none" });
    const wide = await client.publicKey("*");
    expect(await now("publicKeys")).toMatchObject({ state: "todo", count: 1 });
    await systemSql()`update public_keys set revoked_at = now() where public_key = ${wide}`;
    await client.publicKey(["tokens"]);
    expect(await now("publicKeys")).toMatchObject({ state: "done", count: 1 });
  });

  test("webhooks: of HTTPS, and the last delivery of each arrived", async () => {
    await systemSql()`update api_keys set last_used_at = null where client_id = ${client.clientId}`;
    expect(await now("webhooks")).toMatchObject({ state: "none", detail: "webhooksNotNeeded" });
    await systemSql()`update api_keys set last_used_at = now() where client_id = ${client.clientId}`;
    expect(await now("webhooks")).toMatchObject({ state: "todo", detail: "webhooksNone" });
    const body = { event: "*", endpoint: "https://loja.example/eventos", version: 1, status: true };
    const { id } = await client.make<{ id: string }>("POST", "/v1/webhooks", { body });
    expect(await now("webhooks")).toMatchObject({ state: "todo", detail: "webhooksUntried" });
    await delivery(id, "exhausted");
    expect(await now("webhooks")).toMatchObject({ state: "todo", detail: "webhooksFailing" });
    await delivery(id, "delivered");
    expect(await now("webhooks")).toMatchObject({ state: "done", count: 1 });
    await systemSql()`update webhooks set address = 'http://loja.example/eventos' where id = ${id}`;
    expect(await now("webhooks")).toMatchObject({ state: "todo", detail: "webhooksPlain" });
  });

  test("trials: paid, declined and refunded, in this account or in a live one's sandbox", async () => {
    const live = await person(await openClient({ mode: "live" }), "owner");
    const here = accountOf(client, "Loja de teste");
    const states = async (ctx: Context, others: OperatorAccount[] = []) =>
      (await checksOf(ctx, others)).filter(({ name }) => name.startsWith("trial")).map(({ state }) => state);
    expect(await states(owner)).toEqual(["todo", "todo", "todo"]);
    expect(await states(live)).toEqual(["todo", "todo", "todo"]);
    const { body: paid } = await payByCard(shop, { capture: true });
    expect(await states(owner)).toEqual(["done", "todo", "todo"]);
    await payByCard(shop, { outcome: "decline:card_not_supported" });
    expect(await states(owner)).toEqual(["done", "done", "todo"]);
    expect(await states(live, [here])).toEqual(["done", "done", "todo"]);
    await voidIt(client, paid.id);
    expect(await states(owner)).toEqual(["done", "done", "done"]);
    expect(await states(live, [here])).toEqual(["done", "done", "done"]);
  });

  test("company data: every name, and a site with HTTPS", async () => {
    expect(await now("company")).toMatchObject({ state: "done" });
    const { id } = shop.merchant;
    await systemSql()`update merchants set merchant_name = null where id = ${id}`;
    expect(await now("company")).toMatchObject({ state: "todo", fields: ["merchantName"] });
    await systemSql()`update merchants set merchant_name = 'Loja', merchant_url = 'http://loja.example' where id = ${id}`;
    expect(await now("company")).toMatchObject({ state: "todo", detail: "companyPlain" });
    await systemSql()`update merchants set merchant_url = 'https://loja.example' where id = ${id}`;
  });

  test("providers: a real one, tested, heard from, paid through; a flow from the second on", async () => {
    expect(await now("provider")).toMatchObject({ state: "todo", detail: "providerSimulated" });
    expect(await now("connection")).toBeUndefined();
    const path = `/v1/merchants/${shop.merchant.id}/providers`;
    const { id } = await client.make<{ id: string }>("POST", path, { body: stripe() });
    expect(await now("provider")).toMatchObject({ state: "done", names: ["Stripe"] });
    await systemSql()`update providers set paused_at = now() where id = ${id}`;
    expect(await now("provider")).toMatchObject({ state: "todo", detail: "providerPaused" });
    await systemSql()`update providers set paused_at = null where id = ${id}`;

    expect(await now("connection")).toMatchObject({ state: "todo", detail: "connectionUntested" });
    const tested = (passed: boolean | null) =>
      systemSql()`update providers set tested_at = now(), test_passed = ${passed}, test_words = 'said' where id = ${id}`;
    await tested(false);
    expect(await now("connection")).toMatchObject({ state: "todo", words: "said" });
    await tested(null);
    expect(await now("connection")).toMatchObject({ state: "none" });
    await tested(true);
    expect(await now("connection")).toMatchObject({ state: "done", at: expect.any(Date) });
    const renewed = { credentials: { type: "STRIPE", environment: "test", secretKey: "sk_test_other" } };
    await client.make("PATCH", `/v1/providers/${id}`, { body: renewed });
    expect(await now("connection")).toMatchObject({ state: "todo", detail: "connectionUntested" });

    expect(await now("notification")).toMatchObject({ state: "todo" });
    await systemSql()`
      insert into provider_notifications (id, client_id, provider_id, event_id, type, received_at, is_proved)
      values (${newId()}, ${client.clientId}, ${id}, 'evt_1', 'charge.succeeded', now(), true)`;
    expect(await now("notification")).toMatchObject({ state: "done" });

    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
    expect(await now("adapter")).toMatchObject({ state: "todo", detail: "adapterOffline", day });
    const { body: paid } = await payByPix(shop, {});
    await client.make("POST", `/v1/sandbox/pix/${paid.id}/pay`, { body: {} });
    await systemSql()`update charges set provider_id = ${id} where id = ${paid.id}`;
    expect(await now("adapter")).toMatchObject({ state: "done", detail: "adapterPaid", day });

    expect(await now("flow")).toMatchObject({ state: "none" });
    const other = await client.make<{ id: string }>("POST", path, { body: stripe("Second", { priority: 3 }) });
    expect(await now("flow")).toMatchObject({ state: "todo", count: 2 });
    const root = [{ rule: "provider", id: other.id }];
    const flow = { name: "Cards", paymentMethod: "credit", merchantId: shop.merchant.id, status: "active" };
    await client.make("POST", "/v1/flows", { body: { ...flow, flow: { root } } });
    expect(await now("flow")).toMatchObject({ state: "done" });
  });

  test("brand: the merchant's own look, or the account's", async () => {
    expect(await now("brand")).toMatchObject({ state: "todo" });
    await systemSql()`insert into link_settings (id, client_id, main_color, created_at, updated_at)
      values (${newId()}, ${client.clientId}, '#0a7d4b', now(), now())`;
    expect(await now("brand")).toMatchObject({ state: "done" });
  });

  test("payouts: once there are sellers, by something that moves money", async () => {
    expect(await now("payout")).toMatchObject({ state: "none" });
    await openSellers(client, shop.merchant.id, 1);
    const rail = (to: string) => systemSql()`update merchants set payout_rail = ${to} where id = ${shop.merchant.id}`;
    await rail("none");
    expect(await now("payout")).toMatchObject({ state: "todo", detail: "payoutByHand" });
    await rail("file");
    expect(await now("payout")).toMatchObject({ state: "todo", detail: "payoutNoAccount" });
    await systemSql()`update merchants set payout_account = '{"bank":"001"}' where id = ${shop.merchant.id}`;
    expect(await now("payout")).toMatchObject({ state: "done", detail: "payoutFile" });
  });

  test("every item was seen to do and done", () => {
    for (const name of CHECK_NAMES)
      expect([...(seen.get(name) ?? [])], name).toEqual(expect.arrayContaining(["todo", "done"]));
  });
});

describe("who sees what", () => {
  const namesFor = async (role: OperatorRole) => (await checksOf(owner, [], role)).map(({ name }) => name);

  test("people and keys are told to whoever may open them", async () => {
    expect(await namesFor("developer")).not.toContain("secondFactors");
    expect(await namesFor("developer")).toContain("keysScoped");
    expect(await namesFor("operations")).not.toContain("keysScoped");
    expect((await goingLive(owner, "owner", [])).isPartial).toBe(false);
    expect((await goingLive(owner, "operations", [])).isPartial).toBe(true);
    await expect(goingLive(owner, "finance", [])).rejects.toMatchObject({ status: 404 });
  });

  test("a member limited to some merchants is told of those alone", async () => {
    const { id } = await openMerchant(client, { merchant: newMerchant({ name: "Outra" }) });
    const role = { limited: "owner" } as const;
    const list = await goingLive({ ...owner, merchants: [id] }, role, []);
    expect(list.merchants.map((merchant) => merchant.id)).toEqual([id]);
    expect(list.integration).toEqual([]);
    expect(list.account.map(({ name }) => name)).toEqual(["liveAccount", "mail"]);
    expect(list.trial.map(({ state }) => state)).toEqual(["todo", "todo", "todo"]);
    expect(list.merchantCount).toBe(1);
  });

  test("nothing of another account counts, and an account without merchants has none", async () => {
    const other = await openClient();
    const ctx = await person(other, "owner");
    const list = await goingLive(ctx, "owner", []);
    expect(list.merchants).toEqual([]);
    expect(list.trial.map(({ state }) => state)).toEqual(["todo", "todo", "todo"]);
    expect(list.account.find(({ name }) => name === "owners")).toMatchObject({ count: 1 });
    expect(list.integration.find(({ name }) => name === "publicKeys")).toMatchObject({ state: "none" });
  });
});
