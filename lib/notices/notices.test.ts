import { describe, expect, test } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import type { NoticeKind } from "@/db/schema/notices";
import { OPERATOR_ROLES } from "@/db/schema/operators";
import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { isFailing, providersNow } from "@/lib/insights/providers-now";
import { choose, noticeChoicesOf } from "@/lib/notices/choices";
import { lookAtProviders } from "@/lib/notices/providers";
import { bundled, markRead, type Notice, noticesOf } from "@/lib/notices/queries";
import { writeNotices } from "@/lib/notices/write";
import type { RoleName } from "@/lib/operators/permissions";
import { findOperatorSession } from "@/lib/operators/sessions";
import { createOperator, signIn } from "@/lib/sign-in/service";
import { openClient, type TestClient } from "@/lib/testing/api";
import { payByCard, type Shop, withMerchant } from "@/lib/testing/payments";
import { addSeconds, realNow } from "@/lib/time";
import { setProtection } from "@/lib/velocity/protection";
import { openWebhook } from "@/lib/webhooks/testing";

const PASSWORD = "correct horse battery staple";

interface Person {
  ctx: Context;
  id: string;
  email: string;
}

async function join(client: TestClient, role: RoleName): Promise<Person> {
  const email = `${role}-${newId().slice(-8)}@equipe.example`;
  const { id } = await createOperator(systemDb(), {
    email,
    name: "Bia Reis",
    password: PASSWORD,
    clientId: client.clientId,
    role,
  });
  return { ctx: { ...(await client.context()), principal: { kind: "operator", operatorId: id } }, id, email };
}

const chargeback = async (shop: Shop): Promise<string> => {
  const { id } = (await payByCard(shop, { amount: 12_990, capture: true })).body;
  await shop.client.make("POST", `/v1/sandbox/charges/${id}/chargeback`, { body: {} });
  return id;
};

/** In the order of their names: two of the same millisecond have none of their own. */
const kindsOf = async ({ clientId }: TestClient) =>
  (
    await systemSql()<{ kind: NoticeKind }[]>`
      select kind from notices where client_id = ${clientId} order by kind collate "C"`
  ).map(({ kind }) => kind);

const mailsTo = (email: string) =>
  systemSql()<{ data: Record<string, unknown>; locale: string }[]>`
    select data, locale from emails where recipient = ${email} and template = 'operator-notice' order by id`;

describe("a notice is written with its cause", () => {
  test("of a payment in review, a chargeback and card testing", async () => {
    const shop = await withMerchant(await openClient());
    const { clientId } = shop.client;
    await setProtection(await shop.client.context(), true);
    const id = await chargeback(shop);
    await systemSql()`update charges set review_reason = 'amount_mismatch', review_since = now() where id = ${id}`;
    await systemSql()`update charges set review_reason = 'amount_mismatch' where id = ${id}`;
    for (const [kind, cause] of [
      ["step_up", "link_declines"],
      ["cards_paused", "merchant_declines"],
      ["cards_paused", "person"],
    ] as const)
      await systemSql()`insert into card_alarms (id, client_id, scope, ref_id, kind, cause, tried, declined, raised_at, until)
        values (${newId()}, ${clientId}, 'merchant', ${shop.merchant.id}, ${kind}, ${cause}, 30, 20, now(), now())`;
    expect(await kindsOf(shop.client)).toEqual(["card_testing", "cards_paused", "chargeback", "payment_in_review"]);
    const [first] =
      await systemSql()`select amount, currency, merchant_id, name from notices where client_id = ${clientId}
      and kind = 'payment_in_review'`;
    expect(first).toMatchObject({ amount: "12990", currency: "BRL", merchant_id: shop.merchant.id, name: null });
  });

  test("of card testing only where its limits act: a sandbox account's are counted and block nothing", async () => {
    const shop = await withMerchant(await openClient());
    const { clientId } = shop.client;
    const raise = (kind: string) =>
      systemSql()`insert into card_alarms (id, client_id, scope, ref_id, kind, cause, tried, declined, raised_at, until)
        values (${newId()}, ${clientId}, 'merchant', ${shop.merchant.id}, ${kind}, 'link_declines', 30, 20, now(), now())`;
    await raise("step_up");
    await raise("cards_paused");
    expect(await kindsOf(shop.client)).toEqual([]);
    await setProtection(await shop.client.context(), true);
    await raise("step_up");
    expect(await kindsOf(shop.client)).toEqual(["card_testing"]);
  });

  test.each([
    ["charge.refund.propose", "charge", "refund_waiting"],
    ["charge.hand_back.propose", "charge", "review_waiting"],
    ["charge.resolve.propose", "charge", "review_waiting"],
    ["purchase.resolve.propose", "purchase", "review_waiting"],
    ["provider.rotation.asked", "provider", "credentials_waiting"],
    ["secret_key.create", "secret_key", "new_key"],
    ["secret_key.rotate", "secret_key", "new_key"],
    ["webhook.fail", "webhook", "webhook_failing"],
    ["webhook.pause", "webhook", "webhook_paused"],
    ["webhook.gone", "webhook", "webhook_paused"],
    ["webhook.recover", "webhook", "webhook_recovered"],
    ["webhook.reopen", "webhook", "webhook_recovered"],
  ] as const)("of %s, and only if that is committed", async (action, object, kind) => {
    const client = await openClient();
    const ctx = await client.context();
    const before = await kindsOf(client);
    const write = (inside: Context) => audit(inside, { action, object, objectId: newId(), after: { amount: 500 } });
    await expect(
      inTransaction(ctx, async (inside) => {
        await write(inside);
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    expect(await kindsOf(client)).toEqual(before);
    await inTransaction(ctx, write);
    expect(await kindsOf(client)).toEqual([...before, kind].toSorted());
  });

  test.each([
    ["refund", "withdraw"],
    ["refund", "refuse"],
    ["refund", "approve"],
    ["refund", "lapse"],
    ["hand_back", "withdraw"],
    ["hand_back", "approve"],
  ])("of a %s that waits for a second person, until %s", async (what, end) => {
    const client = await openClient();
    const ctx = await client.context();
    const [kept, withdrawn] = [newId(), newId()];
    const write = (action: string, objectId: string) =>
      inTransaction(ctx, (inside) => audit(inside, { action, object: "charge", objectId, after: { amount: 500 } }));
    await write(`charge.${what}.propose`, kept);
    await write(`charge.${what}.propose`, withdrawn);
    await write(`charge.${what}.${end}`, withdrawn);
    const left = await systemSql()`select path from notices where client_id = ${client.clientId}`;
    expect(left.map(({ path }) => path)).toEqual([`/dashboard/payments/${kept}`]);
  });

  test("of a request, to everybody but whoever asked", async () => {
    const client = await openClient();
    const [asks, other] = [await join(client, "owner"), await join(client, "owner")];
    await inTransaction(asks.ctx, (inside) =>
      audit(inside, { action: "charge.refund.propose", object: "charge", objectId: newId(), after: { amount: 500 } }),
    );
    await writeNotices();
    expect([(await mailsTo(asks.email)).length, (await mailsTo(other.email)).length]).toEqual([0, 1]);
    const seen = async ({ ctx }: Person) => (await noticesOf(ctx, "owner")).map(({ kind }) => kind);
    expect([await seen(asks), await seen(other)]).toEqual([[], ["refund_waiting"]]);
  });

  test("of how a request ended, to whoever asked alone", async () => {
    const shop = await withMerchant(await openClient());
    const [asks, other] = [await join(shop.client, "owner"), await join(shop.client, "owner")];
    const { id: objectId } = (await payByCard(shop, { amount: 12_990, capture: true })).body;
    for (const end of ["approve", "refuse", "lapse"])
      await inTransaction(other.ctx, (inside) =>
        audit(inside, {
          action: `charge.refund.${end}`,
          object: "charge",
          objectId,
          after: { amount: 500, by: `operator:${asks.id}` },
        }),
      );
    const seen = async ({ ctx }: Person) => (await noticesOf(ctx, "owner")).map(({ kind, amount }) => [kind, amount]);
    expect(await seen(asks)).toEqual([
      ["refund_lapsed", 500],
      ["refund_refused", 500],
      ["refund_approved", 500],
    ]);
    expect(await seen(other)).toEqual([]);
    await writeNotices();
    expect([(await mailsTo(asks.email)).length > 0, (await mailsTo(other.email)).length]).toEqual([true, 0]);
  });

  test("of a request is gone when its day is over", async () => {
    const client = await openClient();
    const { ctx } = await join(client, "owner");
    await inTransaction(await client.context(), (inside) =>
      audit(inside, { action: "charge.refund.propose", object: "charge", objectId: newId(), after: { amount: 500 } }),
    );
    expect(await noticesOf(ctx, "owner")).toHaveLength(1);
    await systemSql()`update notices set created_at = created_at - interval '25 hours' where client_id = ${client.clientId}`;
    expect(await noticesOf(ctx, "owner")).toEqual([]);
  });

  test("of an entry from a new device, for that person alone", async () => {
    const client = await openClient();
    const [mine, other] = [await join(client, "owner"), await join(client, "owner")];
    const from = (userAgent: string) => ({ email: mine.email, password: PASSWORD, address: "203.0.113.7", userAgent });
    await signIn(systemDb(), from("Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0"), realNow());
    await signIn(systemDb(), from("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Safari/604.1"), realNow());
    const seen = async ({ ctx }: Person) => (await noticesOf(ctx, "owner")).map(({ kind }) => kind);
    expect(await seen(mine)).toEqual(["new_sign_in"]);
    expect(await seen(other)).toEqual([]);
  });
});

describe("notices on the dashboard", () => {
  test("of a webhook that still fails, say since when, by its first failure and not by when it was told", async () => {
    const client = await openClient();
    const { ctx } = await join(client, "owner");
    const { id } = await openWebhook(client, "https://loja.example/avisos");
    const since = addSeconds(realNow(), -900);
    await systemSql()`update webhooks set failures = 3, first_failure_at = ${since}, health = 'failing' where id = ${id}`;
    await inTransaction(ctx, (inside) => audit(inside, { action: "webhook.fail", object: "webhook", objectId: id }));
    expect(await noticesOf(ctx, "owner")).toMatchObject([{ kind: "webhook_failing", failingSince: since }]);
    await systemSql()`update webhooks set failures = 0, first_failure_at = null, health = 'healthy' where id = ${id}`;
    expect(await noticesOf(ctx, "owner")).toMatchObject([{ kind: "webhook_failing", failingSince: undefined }]);
  });

  test("are those the role may know of, new until they were read, and nobody else's", async () => {
    const shop = await withMerchant(await openClient());
    await chargeback(shop);
    for (const role of OPERATOR_ROLES) {
      const { ctx } = await join(shop.client, role);
      const kinds = (await noticesOf(ctx, role)).map(({ kind }) => kind);
      expect(kinds, role).toEqual(role === "developer" ? [] : ["chargeback"]);
    }
    const { ctx } = await join(shop.client, "finance");
    const [line] = await noticesOf(ctx, "finance");
    expect(line).toMatchObject({
      isUnread: true,
      amount: 12_990,
      path: expect.stringMatching(/^\/dashboard\/disputes\//),
    });
    await markRead(ctx, line?.createdAt ?? realNow());
    expect(await noticesOf(ctx, "finance")).toMatchObject([{ isUnread: false }]);
    await markRead(ctx, new Date(0));
    expect(await noticesOf(ctx, "finance")).toMatchObject([{ isUnread: false }]);
    const stranger = await join(await openClient(), "owner");
    expect(await noticesOf(stranger.ctx, "owner")).toEqual([]);
  });

  test("of other merchants do not exist for a member of some", async () => {
    const shop = await withMerchant(await openClient());
    await chargeback(shop);
    const { ctx } = await join(shop.client, "finance");
    expect(await noticesOf({ ...ctx, merchants: [newId()] }, "finance")).toEqual([]);
    expect(await noticesOf({ ...ctx, merchants: [shop.merchant.id] }, "finance")).toMatchObject([
      { kind: "chargeback" },
    ]);
  });

  test("a kind that was turned off is not shown", async () => {
    const shop = await withMerchant(await openClient());
    await chargeback(shop);
    const { ctx } = await join(shop.client, "finance");
    await choose(ctx, "finance", new Map([["chargeback", { onDashboard: false, byEmail: true }]]));
    expect(await noticesOf(ctx, "finance")).toEqual([]);
    expect((await noticeChoicesOf(ctx, "finance")).get("chargeback")).toMatchObject({
      onDashboard: false,
      byEmail: true,
    });
  });

  test("of one kind within an hour are one line", () => {
    const at = realNow();
    const notice = (kind: NoticeKind, minutes: number): Notice => ({
      id: newId(),
      kind,
      name: null,
      byName: null,
      amount: null,
      currency: null,
      path: "/dashboard",
      at,
      createdAt: addSeconds(at, -60 * minutes),
    });
    const rows = [notice("chargeback", 0), notice("new_key", 1), notice("chargeback", 59), notice("chargeback", 61)];
    expect(bundled(rows).map(({ kind, count }) => [kind, count])).toEqual([
      ["chargeback", 2],
      ["new_key", 1],
      ["chargeback", 1],
    ]);
  });
});

describe("notices by e-mail", () => {
  test("to somebody who chose no language are in that of the browser they used last, until they choose one", async () => {
    const shop = await withMerchant(await openClient());
    const finance = await join(shop.client, "finance");
    const given = { email: finance.email, password: PASSWORD, address: null, userAgent: null };
    const session = await signIn(systemDb(), given, realNow());
    if (session.kind !== "signed_in") throw new Error(session.kind);
    const told = async () => {
      await chargeback(shop);
      await writeNotices();
      const mails = await mailsTo(finance.email);
      await systemSql()`update notice_mails set queued_at = now() - interval '61 minutes'
        where operator_id = ${finance.id}`;
      return mails.at(-1)?.locale;
    };
    expect(await told()).toBe("pt-BR");
    await findOperatorSession(systemDb(), session.sessionId, realNow(), { locale: "en" });
    expect(await told()).toBe("en");
    await findOperatorSession(systemDb(), session.sessionId, realNow());
    expect(await told()).toBe("en");
    await systemSql()`update operators set locale = 'pt-BR' where id = ${finance.id}`;
    expect(await told()).toBe("pt-BR");
  });

  test("go to those who may know and want them, in their language, the first at once and the others together", async () => {
    const shop = await withMerchant(await openClient());
    const [finance, developer, silent] = [
      await join(shop.client, "finance"),
      await join(shop.client, "developer"),
      await join(shop.client, "owner"),
    ];
    await systemSql()`update operators set locale = 'en' where id = ${finance.id}`;
    await choose(silent.ctx, "owner", new Map([["chargeback", { onDashboard: true, byEmail: false }]]));
    await chargeback(shop);
    await Promise.all([writeNotices(), writeNotices()]);
    await writeNotices();
    expect(await mailsTo(finance.email)).toMatchObject([{ locale: "en", data: { kind: "chargeback", count: 1 } }]);
    expect(await mailsTo(developer.email)).toEqual([]);
    expect(await mailsTo(silent.email)).toEqual([]);
    await chargeback(shop);
    await chargeback(shop);
    await writeNotices();
    expect(await mailsTo(finance.email)).toHaveLength(1);
    await systemSql()`update notice_mails set queued_at = now() - interval '61 minutes' where operator_id = ${finance.id}
      and queued_at is not null`;
    await writeNotices();
    expect((await mailsTo(finance.email)).map(({ data }) => data.count)).toEqual([1, 2]);
  });

  test("say nothing of a buyer, and lead to the page that acts", async () => {
    const shop = await withMerchant(await openClient());
    const owner = await join(shop.client, "owner");
    await chargeback(shop);
    await writeNotices();
    const [mail] = await mailsTo(owner.email);
    expect(mail?.data).toMatchObject({ url: expect.stringMatching(/\/dashboard\/disputes\/[0-9a-f-]{36}$/) });
    expect(JSON.stringify(mail?.data)).not.toMatch(/Ana|Souza|0002/);
  });

  test("reach nobody who left or is limited to other merchants", async () => {
    const shop = await withMerchant(await openClient());
    const [left, limited] = [await join(shop.client, "finance"), await join(shop.client, "finance")];
    await systemSql()`update memberships set merchant_ids = ${[newId()]}::uuid[] where operator_id = ${limited.id}`;
    await chargeback(shop);
    await systemSql()`update memberships set ended_at = now() where operator_id = ${left.id}`;
    await writeNotices();
    expect(await mailsTo(left.email)).toEqual([]);
    expect(await mailsTo(limited.email)).toEqual([]);
  });
});

test("a provider that stops answering is told once, and once that it answers again", async () => {
  const shop = await withMerchant(await openClient());
  for (let paid = 0; paid < 3; paid++) await payByCard(shop, { capture: true });
  await lookAtProviders();
  expect(await kindsOf(shop.client)).toEqual([]);
  const attempts = (state: string) =>
    systemSql()`update transaction_requests set state = ${state} where client_id = ${shop.client.clientId} and kind = 'authorize'`;
  await attempts("undetermined");
  await Promise.all([lookAtProviders(), lookAtProviders()]);
  await lookAtProviders();
  expect(await kindsOf(shop.client)).toEqual(["provider_down"]);
  await attempts("approved");
  await lookAtProviders();
  await lookAtProviders();
  expect(await kindsOf(shop.client)).toEqual(["provider_down", "provider_up"]);
});

test("of two connections of one provider, the one that fails is told, by its name and to those who see its merchant", async () => {
  const works = await withMerchant(await openClient());
  const fails = await withMerchant(works.client);
  const { clientId } = works.client;
  const [own] = await systemSql()<{ id: string }[]>`
    update providers set name = 'Sandbox da filial' where merchant_id = ${fails.merchant.id} returning id`;
  // The busier one fills what a look at the account's newest payments alone would reach.
  for (let made = 0; made < 3; made++) await payByCard(fails, { capture: true });
  for (let made = 0; made < 4; made++) await payByCard(works, { capture: true });
  const attempts = (state: string) => systemSql()`
    update transaction_requests a set state = ${state} from charges c
     where c.id = a.charge_id and a.kind = 'authorize' and c.merchant_id = ${fails.merchant.id}`;
  await attempts("undetermined");
  await lookAtProviders();
  await lookAtProviders();
  const told = () => systemSql()`
    select kind, name, path, merchant_id from notices where client_id = ${clientId} order by kind`;
  const down = {
    kind: "provider_down",
    name: "Sandbox da filial",
    path: `/dashboard/payments?connection=${own?.id}&period=today`,
    merchant_id: fails.merchant.id,
  };
  expect([...(await told())]).toEqual([down]);
  const connections = await providersNow(await works.client.context(), "owner", undefined);
  expect(connections.filter(isFailing).map(({ id }) => id)).toEqual([own?.id]);
  const { ctx } = await join(works.client, "owner");
  expect(await noticesOf({ ...ctx, merchants: [works.merchant.id] }, "owner")).toEqual([]);
  expect(await noticesOf({ ...ctx, merchants: [fails.merchant.id] }, "owner")).toMatchObject([
    { kind: "provider_down" },
  ]);
  await systemSql()`update providers set name = (select name from providers where merchant_id = ${works.merchant.id})
     where id = ${own?.id ?? ""}`;
  await attempts("approved");
  await lookAtProviders();
  const [, up] = await told();
  expect(up).toMatchObject({ kind: "provider_up", name: expect.stringMatching(/ \(.+\)$/), path: down.path });
});
