import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import type { Locale } from "@/lib/i18n/locales";
import { signCardLink } from "@/lib/subscriptions/card-link";
import { recoveryOf } from "@/lib/subscriptions/recovery";
import { cardFields } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { voidIt } from "@/lib/testing/payments";
import { type Club, openClub } from "@/lib/testing/subscriptions";
import { addSeconds } from "@/lib/time";
import { setProtection } from "@/lib/velocity/protection";

const START = "2027-01-10T10:00:00Z";
const LIMIT_BYTES = 50_000;
const pageOf = (id: string, days = 7) =>
  `/pay/s/${id}?t=${encodeURIComponent(signCardLink(id, addSeconds(new Date(START), days * 86_400)))}`;

let club: Club;
beforeAll(async () => {
  club = await openClub(START);
});

/** One whose first payment was declined: nothing but another card pays it before its retry. */
async function owing(): Promise<string> {
  const card = await club.card();
  await club.script(card, "outcome=106");
  const { body } = await club.subscribe({ card, recurrence: { interval: "monthly" } });
  expect(body.lastCycle?.status).toBe("retrying");
  return body.id;
}

test("another card is checked, used from then on, and pays at once what is owed", async () => {
  const id = await owing();
  const buyer = await newBuyer({ language: "en" });
  const page = await buyer.open(pageOf(id));
  expect(page.status).toBe(200);
  expect(page.text).toContain(
    "The last payment was declined. We will try the card again on Jan 11, 2027. The card's limit does not cover",
  );
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(gzipSync(page.html).length).toBeLessThan(LIMIT_BYTES);
  expect(page.html.match(/<script[^>]*src="([^"]*)"/g)?.every((one) => one.includes("/checkout/"))).toBe(true);

  const wrong = await buyer.send(page, "card", { ...cardFields(), cardCvv: "" });
  expect(wrong.html).toContain('aria-invalid="true"');
  const declined = await buyer.send(page, "card", cardFields("decline:insufficient_funds"));
  expect(declined.text).toContain("Payment not approved");
  // The form is on the page already, under these words.
  expect(declined.text.match(/Use another card/g)).toHaveLength(1);
  expect((await club.read(id)).status).toBe("created");
  const asked = await buyer.sendByScript<{ captcha: boolean; challenge?: object }>(page, "card", {
    ...cardFields(),
    captcha: "",
  });
  // A declined card asks for a proof of work before the next one.
  expect(asked).toMatchObject({ captcha: true, challenge: { algorithm: "SHA-256" } });

  const answer = await buyer.sendByScript<{ next: string }>(page, "card", cardFields());
  expect(answer.next).toContain("done=paid");
  const paid = await club.read(id);
  expect(paid).toMatchObject({ status: "active", lastCycle: { status: "authorized", attempts: 2 } });
  const shown = await buyer.open(answer.next);
  expect(shown.text).toContain("Payment approved.");
  expect(shown.text).toContain("The next charge is on Feb 10, 2027.");
  // What is owed no more is not charged again: a second press saves the card alone.
  expect((await buyer.sendByScript<{ next: string }>(page, "card", cardFields())).next).toContain("done=saved");
  expect((await club.read(id)).lastCycle?.attempts).toBe(2);
}, 60_000);

const scripted = (customerId: string, scenario: string) =>
  club.client.make("POST", "/v1/sandbox/scenarios", { body: { target: { customerId }, scenario } });
const lettersOf = (id: string) => systemSql()<{ locale: string; kind: string; outlook: string | null }[]>`
  select locale, data->>'kind' as kind, data->>'outlook' as outlook from emails
   where data->>'url' like ${`%/s/${id}?%`} order by id`;

test("a charge that is declined counts like one on a link, and one that is known late is written of", async () => {
  const id = await owing();
  const before = await club.read(id);
  const buyer = await newBuyer({ language: "en" });
  const page = await buyer.open(pageOf(id));
  await scripted(club.customerId, "outcome=106;fault=drop_response");
  const waiting = await buyer.sendByScript<{ next: string }>(page, "card", cardFields());
  expect(waiting.next).toContain("done=pending");
  expect((await lettersOf(id)).map(({ kind }) => kind)).toEqual(["failed"]);
  await club.to("2027-01-10T10:30:00Z");
  // The first was written before this page was read; in which language, the buyer's other subscriptions say.
  expect(await lettersOf(id)).toMatchObject([
    { kind: "failed", outlook: "retry" },
    { locale: "en", kind: "failed", outlook: "retry" },
  ]);

  const other = await newBuyer({ language: "en", ip: "203.0.113.8" });
  const again = await other.open(pageOf(id));
  await scripted(club.customerId, "outcome=106");
  const declined = await other.sendByScript<{ captcha: boolean; alert: object }>(again, "card", cardFields());
  expect(declined).toMatchObject({ captcha: true, alert: { code: "insufficient_funds" } });
  expect((await club.read(id)).paymentMethod.card.cardId).toBe(before.paymentMethod.card.cardId);
}, 60_000);

test("a card that the networks bar is not called saved while something is owed", async () => {
  const brand = "mastercard";
  const card = await club.card("approve", brand);
  await club.script(card, "outcome=decline:stolen_card");
  const { body } = await club.subscribe({ card });
  expect(body.status).toBe("unpaid");
  const buyer = await newBuyer({ language: "en" });
  const page = await buyer.open(pageOf(body.id));
  const answer = await buyer.sendByScript<{ alert: object }>(page, "card", cardFields("approve", { brand }));
  expect(answer).toMatchObject({ alert: { code: "already_declined" } });
  expect((await club.read(body.id)).lastCycle?.attempts).toBe(1);
  expect(page.text).not.toContain("We could not complete the payment with this card.");
}, 60_000);

test("with the limits on, one subscription takes few cards a day, also approved ones", async () => {
  const own = await openClub(START);
  await inTransaction(await own.client.context(), (ctx) => setProtection(ctx, true));
  await systemSql()`update clients set locale = 'en' where id = ${own.client.clientId}`;
  const { body } = await own.subscribe();
  expect((await lettersOf(body.id)).map(({ locale, kind }) => `${locale} ${kind}`)).toEqual([
    "en started",
    "en receipt",
  ]);
  const press = async () => {
    const buyer = await newBuyer({ language: "en" });
    const page = await buyer.open(pageOf(body.id));
    return buyer.sendByScript<{ next?: string; alert?: object }>(page, "card", cardFields());
  };
  expect((await press()).next).toContain("done=saved");
  await systemSql()`
    insert into card_tries (id, client_id, merchant_id, session_id, visit, ip, fingerprint, bin, amount, charge_id, outcome, at)
    select gen_random_uuid(), client_id, merchant_id, session_id, n::text, n::text, n::text, n::text, amount,
           gen_random_uuid(), 'approved', at
      from card_tries, generate_series(1, 9) n where session_id = ${body.id}`;
  expect(await press()).toMatchObject({ alert: { code: "too_many" } });
}, 60_000);

test("whoever has no link of this subscription sees what any unknown address shows", async () => {
  const [id, other] = [await owing(), await owing()];
  const buyer = await newBuyer();
  const unknown = await buyer.open("/pay/not-a-link");
  const foreign = pageOf(other).replace(other, id);
  for (const path of [`/pay/s/${id}`, `/pay/s/${id}?t=1.abc`, foreign, pageOf(club.merchant.id)]) {
    const page = await buyer.open(path);
    expect([page.status, page.state]).toEqual([404, unknown.state]);
  }
  const old = await buyer.open(pageOf(id, -1));
  expect(old.state).toBe("subscription-expired");
  const pressed = [await buyer.send(old, "link"), await buyer.send(old, "link")];
  expect(pressed.map(({ state }) => state)).toEqual(["subscription-sent", "subscription-again"]);
  expect(pressed[1]?.text).toContain("Já enviamos um novo link hoje");
  const links = await systemSql()<{ kind: string; url: string }[]>`
    select data->>'kind' as kind, data->>'url' as url from emails
     where client_id = ${club.client.clientId} and data->>'kind' like '%Link'`;
  expect(links).toEqual([{ kind: "freshLink", url: expect.stringContaining(id) }]);
}, 60_000);

test("a buyer cancels where the shop allows it, and nowhere else", async () => {
  const id = await owing();
  const buyer = await newBuyer({ language: "en" });
  const page = await buyer.open(pageOf(id));
  expect(page.text).not.toContain("Cancel subscription");
  const path = `/v1/merchants/${club.merchant.id}`;
  // Also where the shop named neither site nor e-mail: its buyer knows another way to it.
  expect(page.text).toContain("To cancel your subscription, contact ");
  await club.client.make("PATCH", path, { body: { buyerMayCancel: true } });
  const allowed = await buyer.open(pageOf(id));
  await club.client.make("PATCH", path, { body: { buyerMayCancel: false } });
  expect((await buyer.send(allowed, "cancel")).state).toBe("subscription");
  await club.client.make("PATCH", path, { body: { buyerMayCancel: true } });
  const over = await buyer.send(allowed, "cancel");
  expect(over.state).toBe("subscription-canceled");
  expect(over.text).toMatch(/.+ ended on Jan 10, 2027\. Nothing more will be charged\./);
  expect(over.text).toContain("The confirmation goes to ");
  expect(over.text).not.toContain("Your card is saved");
  expect((await club.read(id)).status).toBe("canceled");
}, 60_000);

test("the page counts the charges, lists those that were made, and opens another card's form when it is asked for", async () => {
  const { body } = await club.subscribe({ recurrence: { interval: "monthly", cycles: 3 } });
  const buyer = await newBuyer({ language: "en" });
  const page = await buyer.open(pageOf(body.id));
  expect(page.text).toContain("3 charges in all, 2 left.");
  expect(page.text).toMatch(/Past charges Jan 10, 2027 R\$\d/);
  expect(page.html).not.toMatch(/<details[^>]*open/);
  expect((await buyer.open(pageOf(await owing()))).html).toMatch(/<details[^>]*open/);
}, 60_000);

test("the list of charges tells what was refunded of each, also once the subscription is over", async () => {
  const own = await openClub(START);
  const { body } = await own.subscribe({ recurrence: { interval: "weekly" } });
  await own.to("2027-01-17T10:00:00Z");
  const [first, second] = await own.charges(body.id);
  await voidIt(own.client, first ?? "");
  await voidIt(own.client, second ?? "", { amount: 1_111 });
  const seen = async (language: Locale, days = 7) =>
    (await (await newBuyer({ language })).open(pageOf(body.id, days))).text;
  const english = "Past charges Jan 17, 2027 refunded R$11.11 R$49.90 Jan 10, 2027 refunded R$49.90";
  expect(await seen("en", 14)).toContain(english);
  expect((await seen("pt-BR", 14)).replaceAll("\u00a0", " ")).toContain(
    "Cobranças feitas 17 de jan. de 2027 devolvido R$ 11,11 R$ 49,90 10 de jan. de 2027 valor devolvido R$ 49,90",
  );
  await own.client.make("PATCH", `/v1/subscriptions/${body.id}/cancel`, { body: {} });
  expect(await seen("en", 14)).toContain(english);
  // A link that is too old shows nothing of it.
  expect(await seen("en")).not.toContain("Past charges");
}, 60_000);

test("a month tells what became of its declines, and another card counts as one by hand", async () => {
  const own = await openClub(START);
  const [card, other] = [await own.card(), await own.card()];
  const due = { startAt: "2027-01-11" };
  await own.script(card, "outcome=106");
  await own.subscribe({ card, recurrence: { interval: "monthly", ...due } });
  await own.script(other, "outcome=106");
  const { body } = await own.subscribe({ card: other, recurrence: { interval: "monthly", ...due } });
  await own.to("2027-01-11T10:00:00Z");
  const paid = { type: "credit", card: { cardId: await own.card() } };
  await own.client.make("PUT", `/v1/subscriptions/${body.id}`, { body: { paymentMethod: paid } });
  const told = async () => recoveryOf(await own.client.context(), "owner", "2027-01-01");
  const one = { count: 1, amount: 4_990 };
  expect(await told()).toMatchObject({
    declined: { count: 2, amount: 9_980 },
    recovered: one,
    byHand: one,
    open: one,
    lost: { count: 0, amount: 0 },
    byDay: [],
  });
  await own.to("2027-01-12T10:00:00Z");
  expect(await told()).toMatchObject({
    recovered: { count: 2, amount: 9_980 },
    byHand: one,
    open: { count: 0, amount: 0 },
    byDay: [{ days: 1, count: 1 }],
    byClass: [{ name: "later", declined: 2, recovered: 2 }],
    churn: { active: 0, left: 0 },
  });
}, 60_000);
