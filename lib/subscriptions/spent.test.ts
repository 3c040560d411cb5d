import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { attentionOf } from "@/lib/insights/attention";
import { type Club, openClub } from "@/lib/testing/subscriptions";

const START = "2027-02-05T12:00:00Z";

/** Why its retries were spent, as the history has it. */
const reasons = async (club: Club) =>
  (
    await systemSql()<{ reason: string | null }[]>`
      select reason from subscription_changes
       where client_id = ${club.client.clientId} and to_status = 'unpaid' and from_status <> 'unpaid'`
  ).map(({ reason }) => reason);

/** Of a card whose next payments end like this. */
async function failing(outcome: string): Promise<Club> {
  const club = await openClub(START);
  const card = await club.card();
  await club.subscribe({ card });
  await club.script(card, `outcome=${outcome};times=9`);
  await club.to("2027-03-05T13:00:00Z");
  return club;
}

test("a card that its issuer bars says so where its subscription became unpaid", async () => {
  const club = await failing("115");
  expect(await reasons(club)).toEqual(["card_refused"]);
  const ctx = await club.client.context();
  expect(await attentionOf(ctx, "owner")).toMatchObject([{ kind: "subscriptions_unpaid", count: 1, amount: 4_990 }]);
}, 60_000);

test("retries that were all used say so, and a card that was declined too often for another says that", async () => {
  const [used, often] = [await failing("106"), await failing("106")];
  await systemSql()`
    insert into card_attempts
    select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'series', gen_random_uuid()))).*
      from card_attempts a, generate_series(1, 9) where a.client_id = ${often.client.clientId}`;
  for (const club of [used, often]) await club.to("2027-04-04T13:00:00Z");
  expect([await reasons(used), await reasons(often)]).toEqual([["retries_used"], ["card_limit"]]);
}, 60_000);
