import { beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { writeBuyerMails } from "@/lib/buyer-mails/write";
import { inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { SUBSCRIPTION_INVARIANTS } from "@/lib/invariants/subscriptions";
import { reserve } from "@/lib/sessions/places";
import { getSession } from "@/lib/sessions/queries";
import { recordStart } from "@/lib/subscriptions/link-start";
import { cardFields, PERSON, pathOf, unescaped } from "@/lib/testing/buyer";
import { newBuyer } from "@/lib/testing/checkout-routes";
import { voidIt } from "@/lib/testing/payments";
import { CREDIT, newSession, openSession, readSession, type SessionReply, unlikeRows } from "@/lib/testing/sessions";
import { type Club, openClub, type SubscriptionReply } from "@/lib/testing/subscriptions";

const START = "2027-01-31T10:00:00Z";
const EMAIL = "ana@example.com";

let club: Club;
beforeAll(async () => {
  club = await openClub(START);
});

const monthly = (changes: Record<string, unknown> = {}) => ({
  paymentMethods: [CREDIT],
  orderId: "PLANO-1",
  subscription: { interval: "weekly" },
  ...changes,
});
const link = (changes: Record<string, unknown> = {}): Promise<SessionReply> => openSession(club, monthly(changes));
const started = async ({ id }: { id: string }): Promise<SubscriptionReply[]> => {
  const rows = await systemSql()<{ id: string }[]>`select id from subscriptions where session_id = ${id} order by id`;
  return Promise.all(rows.map((row) => club.read(row.id)));
};
const buyer = () => newBuyer({ language: "en", ip: `203.0.113.${Math.floor(Math.random() * 250)}` });
const typed = (outcome: Parameters<typeof cardFields>[0] = "approve") => ({
  ...PERSON,
  ...cardFields(outcome),
  email: EMAIL,
  captcha: "sandbox-ok",
});

/** Nothing that must always be true of links and subscriptions is broken. */
async function audited(): Promise<void> {
  expect(await unlikeRows(club)).toEqual([]);
  for (const { id, sql } of SUBSCRIPTION_INVARIANTS) {
    const broken = await systemSql().unsafe(
      `with picked as (select id from subscriptions where client_id = '${club.client.clientId}') ${sql}`,
    );
    expect([id, broken]).toEqual([id, []]);
  }
}

test("a link's payment starts one subscription, whatever is pressed again and in whichever tab", async () => {
  const session = await link();
  const [ana, path] = [await buyer(), pathOf(session)];
  const [page, tab] = [await ana.open(path), await ana.open(path)];
  // One choice is no choice.
  const atOnce = await ana.open(pathOf(await link({ paymentMethods: [{ ...CREDIT, installments: 1 }] })));
  expect([page, atOnce].map(({ html }) => html.includes('name="installments"'))).toEqual([true, false]);
  expect(page.text).toContain("R$105.00 a week");
  expect(page.text).toContain("charge this card R$105.00 today, and again every week from Feb 7, 2027.");
  expect(page.text).toContain("Receipts and a link to your subscription go to your e-mail.");
  expect(page.html).not.toContain('action="/pay/cards');
  expect((await ana.send(page, "card", { ...typed(), email: "" })).html).toContain('aria-invalid="true"');
  const declined = await ana.send(page, "card", typed("decline:insufficient_funds"));
  expect(declined.text).toContain("Subscribe and pay R$105.00");
  expect(await started(session)).toEqual([]);

  const fresh = await ana.open(path);
  const [paid, twice] = await Promise.all([ana.send(fresh, "card", typed()), ana.send(fresh, "card", typed())]);
  // The second of the two may ask before the first has its answer: it is shown the same payment.
  expect(paid.path).toBe(twice.path);
  expect((await ana.send(tab, "card", typed())).state).not.toBe("error");
  const [row, ...others] = await started(session);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    status: "active",
    sessionId: session.id,
    referenceKey: "PLANO-1",
    amount: 10_500,
    recurrence: { interval: "weekly", startAt: "2027-01-31", nextDueDate: "2027-02-07" },
    lastCycle: { cycle: 1, status: "authorized", attempts: 1 },
  });
  const receipt = await ana.open(paid.path);
  expect(receipt.text).toContain("The next charge of R$105.00 is on Feb 7, 2027.");
  const own = /href="(\/pay\/s\/[^"]+)"/.exec(receipt.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect((await ana.open(own)).state).toBe("subscription");
  // The receipt's address alone does not lead into the subscription.
  expect((await (await buyer()).open(paid.path)).html).not.toContain("/pay/s/");

  expect(await club.events(row?.id ?? "")).toEqual(["created", "activated"]);
  expect(await readSession(club, session.id)).toMatchObject({ status: "paid", multiplePayments: { paymentCount: 1 } });
  const charges = await systemSql()<{ status: string; recurrence: string; subscription_id: string | null }[]>`
    select status, payment_method->>'recurrence' as recurrence, subscription_id from charges
     where session_id = ${session.id} order by created_at, id`;
  expect(charges.map((one) => ({ ...one }))).toEqual([
    { status: "failed", recurrence: "initial", subscription_id: null },
    { status: "authorized", recurrence: "initial", subscription_id: row?.id },
  ]);
  const letters = await systemSql()<{ to: string }[]>`
    select data->>'kind' as to from emails where data->>'url' like ${`%/s/${row?.id}?%`} order by id`;
  expect(letters.map(({ to }) => to)).toEqual(["started", "receipt"]);

  await club.to("2027-02-07T10:00:00Z");
  const next = await club.read(row?.id ?? "");
  expect(next.lastCycle).toMatchObject({ cycle: 2, status: "authorized" });
  const [kept] = await systemSql()<{ recurrence: string; network: string | null; linked: boolean }[]>`
    select c.payment_method->>'recurrence' as recurrence,
           (select n.network_transaction_id from card_credentials n where n.card_id = c.card_id limit 1) as network,
           k.customer_id = c.customer_id as linked
      from charges c join cards k on k.id = c.card_id
     where c.subscription_id = ${row?.id ?? ""} order by c.created_at desc limit 1`;
  expect(kept).toMatchObject({ recurrence: "subsequent", linked: true });
  expect(kept?.network).toBeTruthy();
  await audited();
}, 60_000);

test("an answer that is lost starts the subscription when it is found", async () => {
  const name = "a".repeat(99);
  // Cut after a hundred units, its last character would be half of one.
  const session = await link({ customerId: club.customerId, name: `${name}😀 anual` });
  const ana = await buyer();
  const waiting = await ana.send(await ana.open(pathOf(session)), "card", {
    ...typed("timeout_authorised_at_provider"),
    email: "",
  });
  expect(["processing", "confirming"]).toContain(waiting.state);
  expect(await started(session)).toEqual([]);
  await club.to("2027-02-07T11:00:00Z");
  expect(await started(session)).toMatchObject([{ status: "active", customerId: club.customerId, name }]);
  expect((await ana.open(waiting.path)).state).toBe("paid");
  await audited();
}, 60_000);

const TRIAL = { interval: "yearly", cycles: 2, trial: { days: 2 } };

test("a trial charges nothing until it ends; a refused card starts none and gives the place back", async () => {
  const session = await link({ subscription: TRIAL });
  const ana = await buyer();
  const page = await ana.open(pathOf(session));
  expect(page.text).toContain("2 days free, then R$105.00 a year");
  expect(page.text).toContain("charge this card R$105.00 every year from Feb 9, 2027.");
  const refused = await ana.send(page, "card", typed("decline:stolen_card"));
  expect(refused.html).toContain('role="alert"');
  expect(await readSession(club, session.id)).toMatchObject({ multiplePayments: { paymentCount: 0, pendingCount: 0 } });

  const fresh = await ana.open(pathOf(session));
  const [begun, twice] = await Promise.all([ana.send(fresh, "card", typed()), ana.send(fresh, "card", typed())]);
  expect(begun.path).toBe(twice.path);
  const shown = await ana.send(fresh, "card", typed());
  expect(shown.state).toBe("started");
  expect(shown.text).toContain(
    "Nothing was charged when you subscribed. The first charge of R$105.00 is on Feb 9, 2027.",
  );
  const [row, ...others] = await started(session);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ status: "trialing", trial: { endAt: "2027-02-09" }, lastCycle: null });
  expect(await readSession(club, session.id)).toMatchObject({ status: "paid", multiplePayments: { paymentCount: 1 } });
  expect(await club.events(row?.id ?? "")).toEqual(["created", "trial_started"]);

  // One whose process died between its agreement and its card's answer: its job goes on, and once.
  const other = await link({ subscription: TRIAL });
  const cardId = await club.card();
  await inTransaction(await club.client.context(), async (ctx) => {
    const { customerId } = club;
    await reserve(ctx, other.id);
    const start = { id: newId(), customerId, cardId, chargeId: null, installments: 1, splitRules: [] };
    await recordStart(ctx, await getSession(ctx, other.id), { ...start, locale: "en" });
  });
  expect(await readSession(club, other.id)).toMatchObject({ multiplePayments: { pendingCount: 1 } });
  await audited();
  await club.to("2027-02-09T10:00:00Z");
  expect((await club.read(row?.id ?? "")).lastCycle).toMatchObject({ cycle: 1, status: "authorized" });
  expect(await started(other)).toMatchObject([{ trial: { endAt: "2027-02-09" } }]);
  expect(await readSession(club, other.id)).toMatchObject({ status: "paid", multiplePayments: { pendingCount: 0 } });
  await audited();
}, 60_000);

test("on a link for many a trial is had once, by a card and by a document", async () => {
  const session = await link({ subscription: TRIAL, maxPayments: -1 });
  const path = pathOf(session, "?again=1");
  const sent = async (who: Awaited<ReturnType<typeof buyer>>, fields: Record<string, string>) =>
    who.send(await who.open(path), "card", { ...typed(), ...fields });
  const ana = await buyer();
  expect((await sent(ana, {})).state).toBe("started");
  const other = cardFields("approve", { brand: "elo" });
  const document = "529.982.247-25";
  const again = [
    await sent(ana, {}),
    await sent(await buyer(), { ...other, document: PERSON.document }),
    await sent(await buyer(), { document }),
  ];
  for (const { text } of again) expect(text).toContain("has already had the free trial on this link");
  expect(await started(session)).toHaveLength(1);
  expect((await sent(await buyer(), { ...other, document })).state).toBe("started");
  expect(await started(session)).toHaveLength(2);
  expect(await readSession(club, session.id)).toMatchObject({ multiplePayments: { paymentCount: 2, pendingCount: 0 } });
  await audited();
}, 60_000);

const PIX = { paymentType: "pix", expiresIn: 3_600 };

test("a bank pays where the buyer chooses it: one code pays and authorizes, and one that is left begins nothing", async () => {
  const bank = await openClub(START);
  const one = { paymentMethods: [CREDIT, PIX], orderId: "PLANO-2", subscription: { interval: "monthly", cycles: 3 } };
  const session = await openSession(bank, one);
  const [ana, path] = [await buyer(), pathOf(session)];
  const page = await ana.open(path);
  expect(page.text).toContain("Pix Automático");
  expect(page.text).toContain("charge your bank account R$105.00 every month by Pix Automático, from Feb 28, 2027.");
  const person = { ...PERSON, email: EMAIL };
  expect((await ana.send(page, "pix", { ...person, email: "" })).html).toContain('aria-invalid="true"');
  const [code, twice] = await Promise.all([ana.send(page, "pix", person), ana.send(page, "pix", person)]);
  expect(code.path).toBe(twice.path);
  // The second of the two may be shown it before the bank has given the code.
  const shown = await ana.open(code.path);
  expect(shown.state).toBe("pix");
  expect(shown.text).toContain("also authorizes the next charges");
  const rowsOf = ({ id }: { id: string }) => systemSql()<
    { id: string; status: string; mandate: string; code: string }[]
  >`
    select s.id, s.status, m.status as mandate, m.qr_code_data as code from subscriptions s
      join subscription_mandates m on m.subscription_id = s.id where s.session_id = ${id} order by s.id`;
  const [begun, ...others] = await rowsOf(session);
  expect(others).toEqual([]);
  expect(begun).toMatchObject({ status: "created", mandate: "created" });
  // What is shown is what authorizes, and no other code of the charge.
  expect(unescaped(shown.html)).toContain(begun?.code);
  expect(await readSession(bank, session.id)).toMatchObject({ multiplePayments: { pendingCount: 1, paymentCount: 0 } });

  // Another way instead: the code is closed, and nothing stands of what it had begun.
  const other = await openSession(bank, one);
  const bia = await buyer();
  await bia.send(await bia.open(pathOf(other)), "pix", person);
  const paid = await bia.send(await bia.open(pathOf(other, "?other=1")), "card", typed());
  expect(paid.state).toBe("paid");
  await bank.to("2027-01-31T10:05:00Z");
  const kept = await systemSql()<{ status: string; method: string }[]>`
    select status, method from subscriptions where session_id = ${other.id} order by method`;
  expect(kept.map((row) => ({ ...row }))).toEqual([
    { status: "active", method: "credit" },
    { status: "canceled", method: "pix_automatic" },
  ]);
  expect(await readSession(bank, other.id)).toMatchObject({ status: "paid", multiplePayments: { paymentCount: 1 } });

  const left = await openSession(bank, one);
  const caio = await buyer();
  await caio.send(await caio.open(pathOf(left)), "pix", person);

  const [charge] = await systemSql()<{ id: string }[]>`
    select id from charges where session_id = ${session.id} and order_id = 'PLANO-2'`;
  await bank.client.make("POST", `/v1/sandbox/pix/${charge?.id}/pay`, { body: {} });
  await bank.to("2027-01-31T10:10:00Z");
  const receipt = await ana.open(code.path);
  expect(receipt.state).toBe("paid");
  expect(receipt.text).toContain("The next charge of R$105.00 is on Feb 28, 2027.");
  // As after a card; whoever else has the address of the receipt is told nothing of them.
  expect(receipt.text).toContain("Receipts go to ");
  expect((await (await buyer()).open(code.path)).text).not.toContain("Receipts go to ");
  expect(await rowsOf(session)).toMatchObject([{ status: "active", mandate: "approved" }]);
  expect(await readSession(bank, session.id)).toMatchObject({ status: "paid", multiplePayments: { paymentCount: 1 } });

  await bank.to("2027-02-01T12:00:00Z");
  expect(await rowsOf(left)).toMatchObject([
    { status: "canceled", mandate: expect.stringMatching(/expired|canceled/) },
  ]);
  expect(await readSession(bank, left.id)).toMatchObject({
    status: "created",
    multiplePayments: { pendingCount: 0, paymentCount: 0 },
  });
  expect((await caio.open(pathOf(left))).state).toBe("open");
  const letters = await systemSql()<{ kind: string }[]>`
    select data ->> 'kind' as kind from emails
     where client_id = ${bank.client.clientId} and template = 'subscription' order by kind`;
  expect(letters.map(({ kind }) => kind)).toEqual(["receipt", "receipt", "started", "started"]);

  await bank.to("2027-02-28T12:00:00Z");
  expect((await bank.cycles(begun?.id ?? "")).map(({ status }) => status)).toEqual(["authorized", "authorized"]);
  expect(await unlikeRows(bank)).toEqual([]);
  for (const { id, sql } of SUBSCRIPTION_INVARIANTS) {
    const picked = `with picked as (select id from subscriptions where client_id = '${bank.client.clientId}')`;
    expect([id, await systemSql().unsafe(`${picked} ${sql}`)]).toEqual([id, []]);
  }
}, 90_000);

test("what no subscription can be is refused by its member, and a key alone starts none", async () => {
  const wrong: [Record<string, unknown>, string][] = [
    [{ paymentMethods: [CREDIT, { paymentType: "boleto", expiresDate: "2027-05-01" }] }, "paymentMethods"],
    [{ paymentMethods: [PIX], subscription: { interval: "biennial" } }, "paymentMethods"],
    [{ amount: 1 }, "amount"],
    [{ capture: false }, "capture"],
    [{ items: [{ name: "Grátis", unitPrice: 0, quantity: 1 }] }, "items.0.unitPrice"],
    [{ subscription: { interval: "daily" } }, "subscription.interval"],
    [{ subscription: { interval: "monthly", trial: { days: 0 } } }, "subscription.trial.days"],
  ];
  for (const [changes, member] of wrong) {
    const body = newSession(club, monthly(changes));
    const answer = await club.client.call<{ message: string }>("POST", "/v1/sessions", { body });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(member)]);
  }
  const { id } = await link();
  const answer = await club.client.call("POST", `/v1/sessions/${id}/charge`, {
    body: {
      paymentMethod: { paymentType: "credit" },
      paymentSource: { sourceType: "card", cardId: await club.card() },
    },
  });
  expect(answer.status).toBe(422);
  expect(answer.body).toMatchObject({ error: { businessCode: "payment_method_not_allowed" } });
}, 60_000);

test("where the receipts go is said, masked: to who subscribed, on the subscription's page and in its letters", async () => {
  const session = await link();
  const [ana, path] = [await buyer(), pathOf(session)];
  const paid = await ana.send(await ana.open(path), "card", typed());
  const said = "Receipts go to an•••@example.com.";
  expect([paid.state, paid.text.includes(said)]).toEqual(["paid", true]);
  expect((await (await buyer()).open(paid.path)).text).not.toContain("example.com");
  const own = unescaped(/href="(\/pay\/s\/[^"]*)"/.exec(paid.html)?.[1] ?? "");
  expect((await ana.open(own)).text).toContain(said);
  const letters = async () => {
    const rows = await systemSql()<{ data: { kind: string; receiptsTo?: string } }[]>`
      select data from emails where client_id = ${club.client.clientId} and template = 'subscription'
         and data->>'url' like ${`%${own.split("?")[0]}%`} order by id`;
    return rows.map(({ data: { kind, receiptsTo } }) => [kind, receiptsTo]);
  };
  expect(await letters()).toEqual([
    ["started", "an•••@example.com"],
    ["receipt", "an•••@example.com"],
  ]);
  // A shop that sends none says nothing of them.
  const mails = (receipt: boolean) =>
    club.client.make("PATCH", `/v1/merchants/${club.merchant.id}`, { body: { subscriptionMails: { receipt } } });
  await mails(false);
  expect((await ana.open(own)).text).not.toContain("Receipts go to");
  await mails(true);
});

test("the refund of the payment that started it is told with a link to that payment's own page", async () => {
  const session = await link();
  const ana = await buyer();
  const paid = await ana.send(await ana.open(pathOf(session)), "card", typed());
  const [row] = await started(session);
  const [chargeId = ""] = await club.charges(row?.id ?? "");
  await voidIt(club.client, chargeId, { amount: 3_333 });
  await writeBuyerMails();
  const [mail, ...more] = await systemSql()<{ recipient: string; locale: string; data: { url: string } }[]>`
    select recipient, locale, data from emails
     where template = 'refund' and data->>'paymentId' = ${chargeId}`;
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ recipient: EMAIL, locale: "en", data: { subscription: row?.name, amount: 3_333 } });
  const own = new URL(mail?.data.url ?? "").pathname;
  expect(own).toBe(paid.path.split("?")[0]);
  expect((await (await buyer()).open(own)).text).toContain("Refunded R$33.33 of R$105.00");
});
