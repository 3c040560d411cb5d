import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { CYCLES_PER_PAGE, HISTORY_PER_PAGE, type Place, subscriptionPages } from "@/lib/subscriptions/operator-pages";
import { listSubscriptionsForOperator, subscriptionFiguresOf } from "@/lib/subscriptions/operator-queries";
import { retryCycle } from "@/lib/subscriptions/service";
import { openCustomer } from "@/lib/testing/payments";
import { openClub } from "@/lib/testing/subscriptions";

test("what comes in each month is rounded half up for each subscription, then added", async () => {
  const club = await openClub("2027-01-31T10:00:00Z");
  const card = await club.card();
  for (const [interval, amount] of [
    ["yearly", 1_806],
    ["biennial", 2_412],
    ["triennial", 3_618],
    ["weekly", 1_200],
  ] as const)
    await club.subscribe({ card, recurrence: { interval }, items: [{ name: "x", amount, quantity: 1 }] });
  const { active, monthly } = await subscriptionFiguresOf(await club.client.context(), "owner");
  expect([active, monthly]).toEqual([4, 151 + 101 + 101 + 5_200]);
});

test("a list finds subscriptions by whose they are, what they are called and the merchant's own key", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const person = { name: "João Carvalho", email: "joao@example.com" };
  const document = { type: "cpf", number: "39053344705", country: "BR" };
  const customerId = await openCustomer(club.client, { ...person, document });
  const gold = (await club.subscribe({ customerId })).body.id;
  const silver = (await club.subscribe({ customerId, name: "Plano Café", referenceKey: "club-9" })).body.id;
  const others = (await club.subscribe({})).body.id;
  const ctx = await club.client.context();
  const found = async (search: string, role: "owner" | "developer" = "owner") =>
    (await listSubscriptionsForOperator(ctx, role, { search })).items.map(({ row }) => row.id).sort();
  for (const typed of ["João", "joao carv", "joao@example.com", "390.533.447-05", customerId])
    expect(await found(typed), typed).toEqual([gold, silver].sort());
  expect(await found("plano ouro")).toEqual([gold, others].sort());
  for (const typed of ["cafe", "CLUB-9", "club 9", silver]) expect(await found(typed), typed).toEqual([silver]);
  expect(await found("Plano Prata")).toEqual([]);
  // Who sees buyers masked learns of no e-mail and no surname.
  for (const typed of ["joao@example.com", "carvalho"]) expect(await found(typed, "developer"), typed).toEqual([]);
  expect(await found("João C.", "developer")).toEqual([gold, silver].sort());
});

test("the history of a subscription has every charge and retry of every cycle, with its payment, in their order", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const card = await club.card();
  const { body } = await club.subscribe({ card });
  await club.script(card, "outcome=106");
  for (const day of ["2027-02-10", "2027-02-20", "2027-03-10"]) await club.to(`${day}T12:00:00Z`);
  const { history } = await subscriptionPages(await club.client.context(), "owner", body.id);
  const told = history.items.map((entry) =>
    entry.kind === "change"
      ? entry.change.fact
      : [entry.cycle, entry.attempt.number, entry.attempt.status, entry.amount, entry.attempt.chargeId !== null],
  );
  expect(told.toReversed()).toEqual([
    "changed",
    [1, 1, "authorized", 4_990, true],
    "charge.approved",
    [2, 1, "failed", 4_990, true],
    [2, 2, "authorized", 4_990, true],
    [3, 1, "authorized", 4_990, true],
  ]);
});

test("a charge that a person asked for again names them; one of the calendar names nobody", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const card = await club.card();
  const { body } = await club.subscribe({ card });
  await club.script(card, "outcome=106");
  await club.to("2027-02-10T12:00:00Z");
  const ctx = await club.client.context();
  const { cycles } = await subscriptionPages(ctx, "owner", body.id);
  const operatorId = newId();
  const [cycle] = cycles.items;
  await retryCycle({ ...ctx, principal: { kind: "operator", operatorId } }, body.id, cycle?.cycle.id ?? "");
  const { history } = await subscriptionPages(ctx, "owner", body.id);
  const actors = history.items.flatMap((entry) =>
    entry.kind === "charge" && entry.cycle === 2 ? [entry.attempt.actor] : [],
  );
  expect(actors).toEqual([`operator:${operatorId}`, "system"]);
});

test("all cycles and all of the history are reached page by page, there and back", async () => {
  const club = await openClub("2027-01-10T10:00:00Z");
  const { body } = await club.subscribe({ card: await club.card() });
  const many = 2 * HISTORY_PER_PAGE + 3;
  await systemSql()`
    insert into subscription_cycles select (jsonb_populate_record(k, jsonb_build_object(
             'id', gen_random_uuid(), 'cycle', k.cycle + n, 'due_on', k.due_on + n))).*
      from subscription_cycles k, generate_series(1, ${many}) n where k.subscription_id = ${body.id}`;
  await systemSql()`
    insert into subscription_changes select (jsonb_populate_record(c, jsonb_build_object(
             'id', gen_random_uuid(), 'revision', 1000 + n))).*
      from subscription_changes c, generate_series(1, ${many}) n
     where c.subscription_id = ${body.id} and c.revision = 1`;
  const ctx = await club.client.context();
  const read = async (list: "cycles" | "history", place: Place) => {
    const found = await subscriptionPages(ctx, "owner", body.id, { cycles: {}, history: {}, [list]: place });
    const numbers =
      list === "cycles"
        ? found.cycles.items.map(({ cycle }) => cycle.cycle)
        : found.history.items.map(({ revision }) => revision);
    return { numbers, newer: found[list].newer, older: found[list].older };
  };
  for (const [list, size] of [
    ["cycles", CYCLES_PER_PAGE],
    ["history", HISTORY_PER_PAGE],
  ] as const) {
    const forth = [];
    let page = await read(list, {});
    expect([page.newer, page.numbers.length]).toEqual([undefined, size]);
    for (;;) {
      forth.push(page.numbers);
      if (page.older === undefined) break;
      page = await read(list, { after: page.older });
    }
    const all = forth.flat();
    expect(all).toEqual([...new Set(all)].sort((one, other) => other - one));
    expect(all.length).toBeGreaterThan(many);
    const back = [];
    for (;;) {
      back.unshift(page.numbers);
      if (page.newer === undefined) break;
      page = await read(list, { before: page.newer });
    }
    expect(back.flat()).toEqual(all);
  }
});
