import { beforeEach, expect, test } from "vitest";
import { noticeTexts } from "@/components/notices/texts";
import { systemSql } from "@/db/client";
import { noteTold, openEngineLink } from "@/lib/engine/inngest/link";
import { tellOfEngine } from "@/lib/notices/engine";
import { openClient } from "@/lib/testing/api";

// Read once, so it is said before anything reads it.
process.env.OPERATOR_EMAIL = "plantao@trilho.example";
const sql = systemSql();
beforeEach(async () => {
  await sql`delete from engine_link`;
  await openEngineLink(sql, "http://inngest.test");
});
const noticesOf = async (clientId: string) =>
  (await sql`select kind, name from notices where client_id = ${clientId} order by created_at`).map(
    ({ kind, name }) => `${kind} ${name}`,
  );

test("a silence is told to the people of every account at once, and its end, each by one process", async () => {
  const [first, second] = [await openClient(), await openClient()];
  await noteTold(sql, "silent");
  await Promise.all([tellOfEngine("silent"), tellOfEngine("silent")]);
  await tellOfEngine("silent");
  for (const { clientId } of [first, second]) expect(await noticesOf(clientId)).toEqual(["engine_silent silent"]);
  await Promise.all([tellOfEngine(null), tellOfEngine(null)]);
  expect(await noticesOf(first.clientId)).toEqual(["engine_silent silent", "engine_back null"]);
});

test("a refused key is told once it has lasted a minute, in words of both languages", async () => {
  const { clientId } = await openClient();
  await noteTold(sql, "event_key");
  expect(await tellOfEngine("event_key")).toBe(false);
  await sql`update engine_link set told_at = now() - interval '61 seconds'`;
  expect(await tellOfEngine("event_key")).toBe(true);
  expect(await noticesOf(clientId)).toEqual(["engine_silent event_key"]);
  expect(noticeTexts("en").say("engine_silent", { name: "event_key" })).toContain("rejects the event key");
  expect(noticeTexts("pt-BR").say("engine_silent", { name: "silent" })).toContain("não chama há algum tempo");
});

test("whoever runs the installation gets one e-mail of the silence and one of its end, each time anew", async () => {
  const letters = async () =>
    (
      await sql<{ kind: string; name: string | null }[]>`
        select data->>'kind' as kind, data->'notices'->0->>'name' as name from emails
         where recipient = 'plantao@trilho.example' and template = 'operator-notice' order by created_at, id`
    ).map(({ kind, name }) => `${kind} ${name}`);
  const before = (await letters()).length;
  for (const fault of ["silent", null, "silent"] as const) {
    await noteTold(sql, fault);
    await Promise.all([tellOfEngine(fault), tellOfEngine(fault)]);
  }
  expect((await letters()).slice(before)).toEqual(["engine_silent silent", "engine_back null", "engine_silent silent"]);
});
