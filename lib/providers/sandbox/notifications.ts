import { systemSql } from "@/db/client";
import type { Secret } from "@/lib/providers/provider";
import type { Notification } from "@/lib/providers/sandbox/store";
import { SIGNATURE_HEADER, signature } from "@/lib/providers/sandbox/webhook";
import { addSeconds } from "@/lib/time";

/** A notification the simulated acquirer sends now, `copies` times, to the provider's receiver. */
export interface DueNotification {
  id: string;
  providerId: string;
  transactionId: string;
  reference: string;
  type: string;
  occurredAt: Date;
  fault: Notification["fault"];
  copies: 1 | 2;
}

const BATCH = 100;

/**
 * Takes what is due on the account's clock, in the order of sending. One marked to be reordered waits until the next
 * of its provider is due, and goes after it.
 */
export async function takeNotifications(clientId: string, now: Date): Promise<DueNotification[]> {
  return systemSql().begin(async (sql) => {
    const due = await sql<(Omit<DueNotification, "copies"> & { held: boolean })[]>`
      select id, provider_id as "providerId", transaction_id as "transactionId", reference, type,
        due_at as "occurredAt", fault from sandbox_notifications
       where client_id = ${clientId} and sent_at is null and due_at <= ${now}
       order by due_at, id limit ${BATCH} for update skip locked`;
    const sending = reordered(due).map(
      (one): DueNotification => ({ ...one, copies: one.fault === "duplicate_webhook" ? 2 : 1 }),
    );
    const ids = sending.map(({ id }) => id);
    if (ids.length > 0) {
      await sql`update sandbox_notifications set sent_at = ${now} where id = any(${ids}::uuid[])`;
    }
    return sending;
  });
}

function reordered<T extends { providerId: string; fault: Notification["fault"] }>(due: readonly T[]): T[] {
  const sending: T[] = [];
  const waiting = new Map<string, T>();
  for (const one of due) {
    const held = waiting.get(one.providerId);
    if (held) {
      sending.push(one, held);
      waiting.delete(one.providerId);
    } else if (one.fault === "reorder_webhook") waiting.set(one.providerId, one);
    else sending.push(one);
  }
  return sending;
}

const SKEW_SECONDS = 600;
const WRONG_KEY = "another key";

/** As it arrives at POST /v1/providers/{id}/notifications. Signatures are dated in real time. */
export function signedNotification(
  { id, type, occurredAt, transactionId, reference, fault }: DueNotification,
  credentials: Secret,
  realNow: Date,
): { headers: Record<string, string>; body: string } {
  const body = JSON.stringify({ id, type, createdAt: occurredAt.toISOString(), transactionId, reference });
  const key = fault === "bad_signature" ? WRONG_KEY : credentials.reveal().apiKey;
  const at = fault === "clock_skew" ? addSeconds(realNow, -SKEW_SECONDS) : realNow;
  return {
    headers: { "content-type": "application/json", [SIGNATURE_HEADER]: signature(key, at, Buffer.from(body)) },
    body,
  };
}
