import { systemSql } from "@/db/client";
import { nextBankDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import type { DryRun } from "@/lib/dry-runs/service";
import type { Booked } from "@/lib/testing/dry-runs/booked";
import { expectSame, type Place, planned, really, same, splitRulesOf } from "@/lib/testing/dry-runs/place";
import { payByCard, payByPix } from "@/lib/testing/payments";
import { to } from "@/lib/testing/payouts";
import type { Draws } from "@/lib/testing/simulator/seeded";

const RELEASED = "05:30:00";
const PAID = "12:00:00";
const FAR = "2031-01-01";

/** What was sold is paid out on a bank day, and what is to come is paid early: both planned in the morning. */
export async function byBankDay(place: Place, draws: Draws): Promise<void> {
  const { client, merchant } = place.shop;
  for (let sales = draws.between(1, 3); sales > 0; sales--) await aSale(place, draws);
  const { now } = await client.make<{ now: string }>("GET", "/v1/sandbox/clock");
  const day = nextBankDay(saoPauloDay(new Date(now)));
  await to(client, day, RELEASED);
  await place.news();
  const party = draws.chance(0.6) ? { sellerId: draws.pick(place.sellers) } : {};
  const dry = await planned(place, { operation: "payout", body: { merchantId: merchant.id, date: day, ...party } });
  same("errors", dry.plan.errors, []);

  const asked = { endDate: FAR, ...(draws.chance(0.75) ? { sellerId: draws.pick(place.sellers) } : {}) };
  const early = await planned(place, { operation: "prepayment", body: asked });
  const made = await really<Prepayment>(place, draws, early, "/v1/subacquirer/prepayment", asked);
  if (made) {
    const { journals, events } = await place.news();
    same("simulated", { journals, events }, { journals: [], events: [] });
    const commit = `/v1/subacquirer/prepayment/${made.body.id}/commit`;
    const committed = await really<Prepayment>(place, draws, early, commit, {});
    same("the status", committed?.body.status, "committed");
    same("told", (await place.news()).events, ["prepayment.committed"]);
  }
  await to(client, day, PAID);
  await expectPaidOut(place, dry, { day, sellerId: party.sellerId }, await place.news());
  await to(client, nextBankDay(day), PAID);
  if (made) await expectPaidEarly(early, made.body.id, await place.news());
}

interface Prepayment {
  id: string;
  status: string;
}

async function aSale(place: Place, draws: Draws): Promise<void> {
  const amount = draws.between(1_000, 40_000);
  const splitRules = splitRulesOf(place, draws, amount);
  const changes = splitRules.length > 0 ? { splitRules } : {};
  const { shop } = place;
  if (draws.chance(0.5)) {
    const { status, body } = await payByPix(shop, { amount, changes });
    // What a split cannot be of so little is refused; there is nothing to pay then.
    if (status === 400) return;
    await shop.client.make("POST", `/v1/sandbox/pix/${body.id}/pay`, { body: {} });
    if (draws.chance(0.2)) await shop.client.make("POST", `/v1/charges/${body.id}/void`, { body: { amount: 500 } });
    return;
  }
  const paymentMethod = { paymentType: "credit", installments: draws.between(1, 6) };
  await payByCard(shop, { amount, capture: true, changes: { ...changes, paymentMethod } });
}

interface Cut {
  day: string;
  sellerId: string | undefined;
}

/** The batches of that day, with the journals that made them. */
async function expectPaidOut({ shop }: Place, { plan }: DryRun, { day, sellerId }: Cut, real: Booked): Promise<void> {
  const sql = systemSql();
  const batches = await sql<
    {
      id: string;
      sellerId: string | null;
      amount: number;
      date: string;
      fee: number;
      planId: string | null;
      status: string;
    }[]
  >`
    select b.id, b.seller_id as "sellerId", b.final_balance::float8 as amount, b.payment_date::text as date,
           b.withdrawal_fee_amount::float8 as fee, b.status,
           (select l.source_id from payout_lines l where l.batch_id = b.id and l.source_type = 'plan' limit 1) as "planId"
      from payout_batches b
     where b.client_id = ${shop.client.clientId} and b.payment_date = ${day}
       and (${sellerId ?? null}::uuid is null or b.seller_id = ${sellerId ?? null})`;
  const ofParty = ({ transfers }: Booked["journals"][number]) =>
    sellerId === undefined || transfers.some(({ debit }) => debit.includes(sellerId));
  expectSame(plan, {
    journals: real.journals.filter((journal) => journal.type === "payout" && ofParty(journal)),
    shares: batches.map(({ amount, date, sellerId: whose }) => ({ sellerId: whose, installment: null, amount, date })),
    fees: batches
      .filter(({ fee }) => fee > 0)
      .map(({ fee, sellerId: whose, planId }) => ({ sellerId: whose, amount: fee, rateId: planId })),
    events: batches.map(({ status }) => `payout.${status === "offset" ? "offset" : "pending"}`),
  });
}

async function expectPaidEarly({ plan }: DryRun, id: string, real: Booked): Promise<void> {
  const sql = systemSql();
  const items = await sql<{ sellerId: string | null; amount: number; date: string }[]>`
    select p.seller_id as "sellerId", i.net_amount::float8 as amount, p.payment_date::text as date
      from prepayment_items i join prepayments p on p.id = i.prepayment_id where p.id = ${id}`;
  const [row] = await sql<{ sellerId: string | null; cost: number; planId: string | null; status: string }[]>`
    select p.seller_id as "sellerId", (p.fee_amount + p.markup_amount)::float8 as cost, s.plan_id as "planId", p.status
      from prepayments p left join sellers s on s.id = p.seller_id where p.id = ${id}`;
  same("the status", plan.status, row?.status);
  expectSame(plan, {
    journals: real.journals.filter(({ type }) => type === "prepayment"),
    shares: items.map(({ sellerId, amount, date }) => ({ sellerId, installment: null, amount, date })),
    fees: [{ sellerId: row?.sellerId ?? null, amount: row?.cost ?? 0, rateId: row?.planId ?? null }],
    events: ["prepayment.committed", ...real.events.filter((name) => name === "prepayment.paid")],
  });
}
