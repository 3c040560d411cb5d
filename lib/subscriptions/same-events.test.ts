import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { type Club, openClub } from "@/lib/testing/subscriptions";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** A declined cycle that recovers, a pause, a trial and an end: told as the bytes that were kept. */
async function lived(club: Club): Promise<string[]> {
  const card = await club.card();
  const weekly = { interval: "weekly", cycles: 3 };
  const { body: plain } = await club.subscribe({ card, recurrence: weekly });
  const { body: trial } = await club.subscribe({ recurrence: weekly, trial: { endAt: "2027-03-05" } });
  await club.script(card, "outcome=106");
  await club.to("2027-03-09T10:00:00Z");
  await club.client.make("PATCH", `/v1/subscriptions/${plain.id}/pause`, { body: { reason: "férias" } });
  await club.to("2027-03-10T10:00:00Z");
  await club.client.make("PATCH", `/v1/subscriptions/${plain.id}/resume`, { body: {} });
  await club.to("2027-03-15T10:00:00Z");
  const told: string[] = [];
  for (const { id } of [plain, trial]) {
    const rows = await systemSql()<{ event: string; data: string }[]>`
      select event, convert_from(body, 'utf8') as data from events
       where client_id = ${club.client.clientId} and entity_id = ${id} order by entity_version`;
    told.push(...rows.map(({ event, data }) => `${event} ${data}`));
  }
  // Each run has ids of its own: the first that is named is the first in both.
  const names = new Map<string, string>();
  return told.map((text) =>
    text.replace(UUID, (id) => {
      const name = names.get(id) ?? `id${names.size}`;
      names.set(id, name);
      return name;
    }),
  );
}

test("two runs of the same clock tell the same events, byte for byte", async () => {
  const [one, other] = await Promise.all([openClub(START).then(lived), openClub(START).then(lived)]);
  expect(one.length).toBeGreaterThan(8);
  expect(other).toEqual(one);
}, 60_000);

const START = "2027-03-01T10:00:00Z";
