import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { writeBuyerMails } from "@/lib/buyer-mails/write";
import { sendQueued } from "@/lib/testing/mail";
import { voidIt } from "@/lib/testing/payments";
import { type Club, openClub } from "@/lib/testing/subscriptions";

interface Refund {
  recipient: string;
  locale: string;
  data: Record<string, unknown>;
}

/** What the club's buyer is written of refunds, in its order, whoever writes at once. */
async function refunds(club: Club): Promise<Refund[]> {
  await Promise.all([writeBuyerMails(), writeBuyerMails()]);
  return systemSql()<Refund[]>`
    select recipient, locale, data from emails
     where client_id = ${club.client.clientId} and template = 'refund' order by id`;
}

/** The charges of a weekly subscription, once two were made; the first of them first. */
async function twoWeeks(club: Club): Promise<{ id: string; charges: string[] }> {
  const { body } = await club.subscribe({ recurrence: { interval: "weekly" } });
  await club.to("2027-01-17T10:00:00Z");
  return { id: body.id, charges: await club.charges(body.id) };
}

test("a subscriber is told of each refund of a charge, with a link to the subscription", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const { id, charges } = await twoWeeks(club);
  const [first = "", second = ""] = charges;
  await systemSql()`update subscriptions set locale = 'en' where id = ${id}`;
  await voidIt(club.client, second, { amount: 1_111 });
  const [part, ...more] = await refunds(club);
  expect(more).toEqual([]);
  const [buyer] = await systemSql()<{ email: string }[]>`select email from customers where id = ${club.customerId}`;
  expect(part).toMatchObject({
    recipient: buyer?.email,
    locale: "en",
    data: {
      amount: 1_111,
      paidAmount: 4_990,
      refundedAmount: 1_111,
      method: "card",
      brand: "Visa",
      subscription: "Plano Ouro",
      paymentId: second,
      isToSubscription: true,
      url: expect.stringMatching(new RegExp(`/s/${id}\\?t=`)),
    },
  });
  await voidIt(club.client, first);
  expect(await refunds(club)).toHaveLength(2);
  await voidIt(club.client, second, { amount: 2_000 });
  expect((await refunds(club)).slice(1).map(({ data }) => data)).toMatchObject([
    { amount: 4_990, paidAmount: 4_990, refundedAmount: 4_990, paymentId: first },
    { amount: 2_000, paidAmount: 4_990, refundedAmount: 3_111, paymentId: second },
  ]);
  const [mail] = (await sendQueued(club.client.clientId)).filter(({ template }) => template === "refund");
  for (const told of ["R$11.11", "Plano Ouro", second, `/s/${id}?t=`, "View subscription"]) {
    expect(mail?.text).toContain(told);
  }
}, 60_000);

test("one that is over has a page still; who gets no receipts is told of no refunds either", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const { id, charges } = await twoWeeks(club);
  const [first = "", second = ""] = charges;
  await club.client.make("PATCH", `/v1/subscriptions/${id}/cancel`, { body: {} });
  await voidIt(club.client, first);
  expect((await refunds(club)).map(({ data }) => data.url)).toEqual([expect.stringContaining(`/s/${id}?t=`)]);
  const path = `/v1/merchants/${club.merchant.id}`;
  await club.client.make("PATCH", path, { body: { subscriptionMails: { receipt: false } } });
  await voidIt(club.client, second);
  expect(await refunds(club)).toHaveLength(1);
}, 60_000);

test("a buyer who can be reached nowhere holds nobody up", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const { charges } = await twoWeeks(club);
  await systemSql()`update customers set email = '' where id = ${club.customerId}`;
  await voidIt(club.client, charges[0] ?? "");
  expect(await refunds(club)).toEqual([]);
  expect(
    await systemSql()`
    select from buyer_moments where client_id = ${club.client.clientId} and done_at is null`,
  ).toHaveLength(0);
}, 60_000);
