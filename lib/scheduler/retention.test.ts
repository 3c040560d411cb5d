import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { KEPT_DAYS } from "@/lib/retention";
import { deleteExpired } from "@/lib/scheduler/recover";
import { openClient } from "@/lib/testing/api";

/** One row a day younger than it is kept and one a day older. */
async function around(table: string, days: number, insert: (id: string, age: number) => Promise<unknown>) {
  const [young, old] = [newId(), newId()];
  await insert(young, days - 1);
  await insert(old, days + 1);
  await deleteExpired();
  const rows = await systemSql().unsafe<{ id: string }[]>(`select id from ${table} where id in ($1, $2)`, [young, old]);
  return { left: rows.map(({ id }) => id), young };
}

test("what the page says is kept is kept so long, and no longer", async () => {
  const { clientId } = await openClient();
  const requests = await around(
    "request_logs",
    KEPT_DAYS.requestLogs,
    (id, age) => systemSql()`
      insert into request_logs (id, client_id, request_id, key_kind, method, path, route, status, duration_ms, created_at)
      values (${id}, ${clientId}, ${id}, 'secret', 'GET', '/v1/x', '/v1/x', 200, 1, now() - make_interval(days => ${age}))`,
  );
  expect(requests.left).toEqual([requests.young]);
  const events = await around(
    "events",
    KEPT_DAYS.events,
    (id, age) => systemSql()`
      insert into events (id, client_id, object, event, entity_id, entity_version, body, created_at)
      values (${id}, ${clientId}, 'transaction', 'transaction.pending', ${id}, 1, '{}', now() - make_interval(days => ${age}))`,
  );
  expect(events.left).toEqual([events.young]);
});
