import { systemSql } from "@/db/client";
import { createAccount, loadAccount } from "@/lib/accounts/service";
import { type Context, inTransaction, systemContext } from "@/lib/context";
import { EVENT_CATALOGUE } from "@/lib/event-catalogue/catalogue";
import { exampleOf } from "@/lib/event-catalogue/example";
import { emit } from "@/lib/events";
import { newId } from "@/lib/ids";
import { createWebhook } from "@/lib/webhooks/service";

export interface Subscriber {
  ctx: Context;
  webhookId: string;
}

/** Accounts with one endpoint each: a client has ten requests at a time, so many of them keep a worker busy. */
export async function subscribe(count: number, addressOf: (index: number) => string): Promise<Subscriber[]> {
  const made: Subscriber[] = [];
  for (let index = 0; index < count; index++) {
    const { clientId } = await createAccount({ name: `bench ${index}`, mode: "sandbox" });
    const ctx = systemContext(await loadAccount(clientId), newId());
    const { id } = await inTransaction(ctx, (inside) =>
      createWebhook(inside, { event: "*", endpoint: addressOf(index), version: 1.1, status: true }),
    );
    made.push({ ctx, webhookId: id });
  }
  return made;
}

/** As large as a paid charge. */
const [declared] = EVENT_CATALOGUE.filter(({ name }) => name === "transaction.authorized");
if (!declared) throw new Error("the catalogue has the event of a payment");
export const EXAMPLE = exampleOf(declared);

/** One event, committed by itself; answers its id and the moment right after the commit. */
export async function emitOne({ ctx }: Subscriber): Promise<{ id: string; at: number }> {
  const entityId = newId();
  await inTransaction(ctx, (inside) =>
    emit(inside, { object: "transaction", event: "authorized", entityId, data: EXAMPLE.data }),
  );
  const at = performance.timeOrigin + performance.now();
  const [row] = await systemSql()<{ id: string }[]>`select id from events where entity_id = ${entityId}`;
  return { id: row?.id ?? "", at };
}

/** Many at once, one object each, before anybody is told of them. */
export async function fillOutbox(subscribers: readonly Subscriber[], count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => {
    const [id, entity] = [newId(), newId()];
    const client = subscribers[index % subscribers.length]?.ctx.account.id ?? "";
    return { id, entity, client, body: JSON.stringify({ ...EXAMPLE, id }) };
  });
  await systemSql()`
    insert into events (id, client_id, object, event, entity_id, entity_version, body, created_at)
    select r.id, r.client, 'transaction', 'authorized', r.entity, 1, convert_to(r.body, 'UTF8'), now()
      from jsonb_to_recordset(${systemSql().json(rows)}::jsonb) as r (id uuid, client uuid, entity uuid, body text)`;
  return rows.map(({ body }) => body);
}

/** Whether something is still to be sent or written. Asked only at the end: counting costs what is counted. */
export async function isAnythingOpen(): Promise<boolean> {
  const [row] = await systemSql()<{ open: boolean }[]>`
    select exists (select from events where fanned_out_at is null)
        or exists (select from webhook_deliveries where status in ('scheduled', 'sending')) as open`;
  return row?.open ?? false;
}
