import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { sendQueued } from "@/lib/testing/mail";
import { type Club, openClub } from "@/lib/testing/subscriptions";

interface Written {
  kind: string;
  on: string | null;
  nextOn: string | null;
  outlook: string | null;
  amount: number;
  reason?: string | null;
  url: string | null;
}

/** What the club's buyer was written, in its order. */
const written = async (club: Club): Promise<Written[]> => {
  const rows = await systemSql()<{ data: Written }[]>`
    select data from emails where client_id = ${club.client.clientId} order by id`;
  return rows.map(({ data }) => data);
};
const kinds = async (club: Club): Promise<string[]> => (await written(club)).map(({ kind }) => kind);

test("a buyer is written each thing that happens, on its day and once", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const card = await club.card();
  // Its last day is the 31st of January.
  await systemSql()`update cards set expiration_month = '01', expiration_year = '2027' where id = ${card}`;
  const { body } = await club.subscribe({ card, trial: { endAt: "2027-01-14" }, recurrence: { interval: "weekly" } });
  expect(await written(club)).toEqual([
    expect.objectContaining({ kind: "started", on: "2027-01-14", nextOn: "2027-01-14", amount: 4_990 }),
  ]);
  await club.to("2027-01-11T11:59:59Z");
  expect(await kinds(club)).toEqual(["started"]);
  await club.to("2027-01-15T00:00:00Z");
  expect((await kinds(club)).slice(1)).toEqual(["trialEnds", "receipt"]);
  await club.script(card, "outcome=106;times=5");
  await club.to("2027-01-27T13:00:00Z");
  expect((await written(club)).slice(3)).toEqual([
    expect.objectContaining({ kind: "failed", outlook: "retry", on: "2027-01-22", reason: "insufficient_funds" }),
    expect.objectContaining({ kind: "cardExpires", nextOn: "2027-01-28" }),
    expect.objectContaining({ kind: "lastTry", on: "2027-01-28" }),
  ]);
  await club.to("2027-01-28T10:00:00Z");
  expect((await written(club)).slice(6)).toEqual([
    expect.objectContaining({ kind: "failed", outlook: "ended", reason: "insufficient_funds" }),
  ]);
  expect((await written(club)).at(-1)?.url).toMatch(new RegExp(`/s/${body.id}\\?t=[0-9a-z]+\\.[\\w-]{43}$`));
  await club.client.make("PATCH", `/v1/subscriptions/${body.id}/cancel`, { body: {} });
  const canceled = (await written(club)).slice(7);
  expect(canceled).toEqual([expect.objectContaining({ kind: "canceled", url: null })]);

  const path = `/v1/merchants/${club.merchant.id}`;
  const changed = await club.client.make("PATCH", path, { body: { subscriptionMails: { canceled: false } } });
  expect(changed).toMatchObject({ subscriptionMails: { canceled: false, failed: true } });
  const later = await club.subscribe({ recurrence: { interval: "monthly", startAt: "2027-03-01" } });
  await club.client.make("PATCH", `/v1/subscriptions/${later.body.id}/cancel`, { body: {} });
  expect((await kinds(club)).slice(8)).toEqual(["started"]);
  // Nothing is charged of a trial that ends with its subscription: no first charge is announced.
  const brief = await club.subscribe({ trial: { endAt: "2027-02-10" }, recurrence: { interval: "monthly" } });
  await club.client.make("PUT", `/v1/subscriptions/${brief.body.id}`, { body: { cancelAtPeriodEnd: true } });
  // An answer that comes when it is over already begins nothing.
  const late = await club.subscribe({}, { scenario: "fault=drop_response" });
  await club.client.make("PATCH", `/v1/subscriptions/${late.body.id}/cancel`, { body: {} });
  await club.to("2027-02-11T00:00:00Z");
  expect((await kinds(club)).slice(9)).toEqual(["started", "receipt"]);
}, 60_000);

test("a decline is told with its reason in the buyer's words, unless it is one that nobody is told", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const [card, stolen] = [await club.card(), await club.card()];
  await club.script(card, "outcome=106");
  await club.subscribe({ card });
  await club.script(stolen, "outcome=decline:stolen_card");
  await club.subscribe({ card: stolen });
  expect((await written(club)).map(({ reason }) => reason ?? null)).toEqual(["insufficient_funds", null]);
  const [told, untold] = await sendQueued(club.client.clientId);
  for (const part of [told?.html, told?.text]) expect(part).toContain("O limite do cartão não cobre este valor.");
  expect(untold?.text).toContain("foi recusada");
  expect(untold?.text).not.toContain("Não foi possível concluir");
}, 60_000);

test("before the first charge the buyer reads how many there are and where to cancel", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const plan = { trial: { endAt: "2027-01-20" }, recurrence: { interval: "monthly", cycles: 3 } };
  await club.subscribe(plan);
  expect(await written(club)).toEqual([expect.objectContaining({ kind: "started", cycles: 3, cancel: "shop" })]);
  const path = `/v1/merchants/${club.merchant.id}`;
  await club.client.make("PATCH", path, { body: { buyerMayCancel: true } });
  await club.to("2027-01-18T13:00:00Z");
  const [, soon] = await written(club);
  expect(soon).toMatchObject({ kind: "trialEnds", cycles: 3, cancel: "page" });
}, 60_000);

test("a buyer who reads English is written English of another subscription, whoever made it", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const locales = async () => {
    const rows = await systemSql()<{ locale: string }[]>`
      select locale from emails where client_id = ${club.client.clientId} and data ->> 'kind' = 'started' order by id`;
    return rows.map(({ locale }) => locale);
  };
  const { body } = await club.subscribe();
  // The page of this one was read in English.
  await systemSql()`update subscriptions set locale = 'en' where id = ${body.id}`;
  await club.to("2027-01-10T10:01:00Z");
  await club.subscribe();
  expect(await locales()).toEqual(["pt-BR", "en"]);
}, 60_000);
