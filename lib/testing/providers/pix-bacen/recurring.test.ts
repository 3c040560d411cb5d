import { afterAll, beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { SUBSCRIPTION_INVARIANTS } from "@/lib/invariants/subscriptions";
import { receiveNotification } from "@/lib/provider-webhooks/receive";
import { type BankMock, startBank } from "@/lib/testing/providers/pix-bacen/mock";
import { eveningOf, nightOf } from "@/lib/testing/providers/pix-bacen/recurring";
import { bankSecret, useBank } from "@/lib/testing/providers/pix-bacen/rig";
import { type Club, openClub } from "@/lib/testing/subscriptions";

/** Connecting to a bank takes longer than the simulator's answers, on a busy machine much longer. */
process.env.PROVIDER_TIMEOUT_MS = "10000";

const START = "2027-03-14T12:00:00Z";
const RECEIVER = { receiverAccount: "0012345", receiverAccountType: "CORRENTE", receiverBranch: "1234" };

let at = new Date(START);
let mock: BankMock;
beforeAll(async () => {
  mock = await startBank({ now: () => at });
  useBank("BB", mock);
});
afterAll(() => mock.close());

/** A club whose mandates are kept by the bank, on one clock with it. */
async function bankClub(receiver: Record<string, string> = RECEIVER) {
  const club = await openClub(START);
  at = new Date(START);
  const credentials = {
    type: "BB",
    environment: "test",
    mtlsPassPhrase: "unused",
    ...bankSecret(mock, newId(), receiver).reveal(),
  };
  const { id: providerId } = await club.client.make("POST", `/v1/merchants/${club.merchant.id}/providers`, {
    body: { name: "Bank", priority: 1, credentials },
  });
  await systemSql()`
    update providers set routable = false where merchant_id = ${club.merchant.id} and kind = 'SANDBOX'`;
  const to = async (instant: string | Date): Promise<void> => {
    at = new Date(instant);
    await club.to(at.toISOString());
  };
  let told = 0;
  const tell = async (): Promise<void> => {
    const { notices } = mock.recurring;
    for (; told < notices.length; told++) {
      await receiveNotification(newId(), providerId, new Headers(), Buffer.from(JSON.stringify(notices[told])));
    }
    await to(new Date(at.getTime() + 1_000));
  };
  return { club, to, tell };
}

const subscribe = (club: Club, journey = "qr", recurrence: Record<string, unknown> = { startAt: "2027-03-20" }) =>
  club.subscribe({
    recurrence: { interval: "monthly", ...recurrence },
    paymentMethod: { type: "pix_automatic", journey, retry: "three_in_seven_days" },
  });

const newest = <T>(list: readonly T[]): T => {
  const last = list.at(-1);
  if (last === undefined) throw new Error("the bank has none");
  return last;
};

async function breaksOf({ client }: Club): Promise<string[]> {
  const broken: string[] = [];
  for (const { id, sql } of SUBSCRIPTION_INVARIANTS) {
    const picked = "with picked as (select id from subscriptions where client_id = $1)";
    if ((await systemSql().unsafe(`${picked} ${sql}`, [client.clientId])).length > 0) broken.push(id);
  }
  return broken;
}

const chargesOf = async (club: Club, subscriptionId: string) =>
  (
    await club.client.make<{ items: { id: string; status: string }[] }>("GET", "/v1/charges", {
      query: { subscriptionId, limit: 100, order: "asc" },
    })
  ).items.map(({ status }) => status);

test("a bank pays each cycle: asked days ahead, again on another day, ended with its subscription", async () => {
  const { club, to, tell } = await bankClub();
  mock.plan("lost_after", "POST rec");
  const { status, body } = await subscribe(club);
  expect(status).toBe(201);
  expect(body).toMatchObject({ mandate: { status: "created", qrCodeData: null } });
  await to("2027-03-14T12:05:00Z");
  expect(await club.read(body.id)).toMatchObject({
    mandate: { status: "created", qrCodeData: expect.stringMatching(/^000201/) },
  });
  const mandate = newest(mock.recurring.mandates);
  mock.recurring.answer(mandate, "APROVADA");
  await tell();
  expect(await club.read(body.id)).toMatchObject({ status: "created", mandate: { status: "approved" } });
  await to("2027-03-15T09:01:00Z");
  const asked = newest(mock.recurring.instructions);
  expect(asked).toMatchObject({ day: "2027-03-20", amount: 4_990, status: "ATIVA" });
  expect(await chargesOf(club, body.id)).toEqual(["pending"]);
  await to(eveningOf("2027-03-20"));
  mock.recurring.settle(asked, "2027-03-20", "unpaid");
  await tell();
  expect((await club.read(body.id)).lastCycle).toMatchObject({ status: "retrying", nextRetryAt: "2027-03-22" });
  await to("2027-03-21T09:01:00Z");
  expect(asked.attempts.map(({ day }) => day)).toEqual(["2027-03-20", "2027-03-22"]);
  await to(nightOf("2027-03-22"));
  mock.recurring.settle(asked, "2027-03-22", "paid");
  await tell();
  expect(await club.read(body.id)).toMatchObject({
    status: "active",
    lastCycle: { status: "authorized", attempts: 2 },
  });
  expect(await chargesOf(club, body.id)).toEqual(["failed", "authorized"]);
  await to("2027-04-15T09:01:00Z");
  expect(newest(mock.recurring.instructions)).toMatchObject({ day: "2027-04-20", status: "ATIVA" });
  await club.client.make("POST", `/v1/subscriptions/${body.id}/cancel`, { body: {} });
  await to("2027-04-15T10:00:00Z");
  expect(mandate.status).toBe("CANCELADA");
  expect(newest(mock.recurring.instructions).status).toBe("CANCELADA");
  await to("2027-04-21T12:00:00Z");
  expect(await club.read(body.id)).toMatchObject({ status: "canceled", mandate: { status: "canceled" } });
  expect(await chargesOf(club, body.id)).toEqual(["failed", "authorized", "canceled"]);
  expect(await breaksOf(club)).toEqual([]);
  expect([...new Set(mock.breaches)]).toEqual([]);
}, 60_000);

test("a first payment authorizes the mandate; its payer ends it at the bank, and nothing is asked for after that", async () => {
  const { club, to, tell } = await bankClub();
  const { body } = await subscribe(club, "qr_with_first_payment", {});
  const mandate = newest(mock.recurring.mandates);
  const first = newest(mock.books.entries);
  expect(body).toMatchObject({ mandate: { qrCodeData: expect.stringContaining(first.id) } });
  mock.books.pay(first);
  mock.recurring.answer(mandate, "APROVADA");
  await to("2027-03-14T12:05:00Z");
  await tell();
  expect(await club.read(body.id)).toMatchObject({ status: "active", mandate: { status: "approved" } });
  mock.recurring.answer(mandate, "CANCELADA");
  await tell();
  expect(await club.read(body.id)).toMatchObject({ status: "canceled", mandate: { status: "canceled" } });
  const before = mock.recurring.instructions.length;
  await to("2027-04-20T12:00:00Z");
  expect(mock.recurring.instructions).toHaveLength(before);
  expect(await breaksOf(club)).toEqual([]);
}, 60_000);

test("without an account to be paid at, no mandate begins and nothing is written", async () => {
  const { club } = await bankClub({});
  const { status, error } = await subscribe(club);
  expect(status).toBe(400);
  expect(error).toMatchObject({
    businessCode: "payment_method_not_supported",
    message: expect.stringContaining("receiverAccount"),
  });
  expect(await systemSql()`select from subscriptions where client_id = ${club.client.clientId}`).toHaveLength(0);
}, 60_000);
