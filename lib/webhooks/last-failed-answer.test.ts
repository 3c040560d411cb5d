import { expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { inSnapshot } from "@/lib/context";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";
import { lastFailedAnswer } from "@/lib/webhooks/last-failed-answer";

test("a webhook's last answer is that of the newest attempt among deliveries still open", async () => {
  const client = await openClient();
  const sql = systemSql();
  const body = { endpoint: "https://shop.example/hook", event: "*" };
  const { id: webhookId } = await client.make("POST", "/v1/webhooks", { body });
  const attempt = async (status: string, at: string, error: string | null, code: number | null) => {
    const id = newId();
    await sql`insert into webhook_deliveries (id, client_id, webhook_id, event_id, event, entity_id, entity_version,
                event_created_at, origin, status, attempts, created_at)
              values (${id}, ${client.clientId}, ${webhookId}, ${newId()}, 'card.failed', ${newId()}, 1, now(), 'event',
                ${status}, 1, now())`;
    await sql`insert into webhook_attempts (id, client_id, delivery_id, number, at, duration_ms, status_code, error,
                request_headers, recorded_at)
              values (${newId()}, ${client.clientId}, ${id}, 1, ${at}, 5, ${code}, ${error}, '{}', now())`;
    return id;
  };
  const ctx = await client.context();
  const last = () => inSnapshot(ctx, (inside) => lastFailedAnswer(inside, webhookId));
  expect(await last()).toBe(undefined);
  await attempt("scheduled", "2026-11-30T10:00:00Z", null, 500);
  const refused = await attempt("held", "2026-11-30T11:00:00Z", "connection", null);
  await attempt("delivered", "2026-11-30T12:00:00Z", null, 200);
  expect(await last()).toMatchObject({ deliveryId: refused, error: "connection", statusCode: null });
});
