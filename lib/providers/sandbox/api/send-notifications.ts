import { eq } from "drizzle-orm";
import { systemDb, systemSql } from "@/db/client";
import { providers } from "@/db/schema/merchants";
import { loadAccount } from "@/lib/accounts/service";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { openCredentials } from "@/lib/payments/credentials";
import type { OutboundRequest, Transport } from "@/lib/providers/exchange";
import { createHttpTransport } from "@/lib/providers/http-client";
import { type DueNotification, signedNotification, takeNotifications } from "@/lib/providers/sandbox/notifications";
import { addSeconds, nowOn, realNow } from "@/lib/time";

/** As a step of a workflow keeps it: instants are text. */
export type Waiting = Omit<DueNotification, "occurredAt"> & { occurredAt: string };

const MOST_ACCOUNTS = 100;

/** Everything the simulator has to tell by now, each account by its own clock. */
export async function takeDueNotifications(): Promise<Waiting[]> {
  const accounts = await systemSql()<{ client_id: string }[]>`
    select distinct n.client_id from sandbox_notifications n join clients c on c.id = n.client_id
     where n.sent_at is null and n.due_at <= coalesce(c.clock_frozen_at, now() + make_interval(secs => c.clock_offset_seconds))
     limit ${MOST_ACCOUNTS}`;
  const waiting: Waiting[] = [];
  for (const { client_id } of accounts) {
    const { clock } = await loadAccount(client_id);
    for (const taken of await takeNotifications(client_id, nowOn(clock))) {
      waiting.push({ ...taken, occurredAt: taken.occurredAt.toISOString() });
    }
  }
  return waiting;
}

/** The real moment of the next one, if that is within so many seconds. Clocks that stand still bring none. */
export async function nextNotificationAt(withinSeconds: number): Promise<Date | undefined> {
  const [row] = await systemSql()<{ at: Date | null }[]>`
    select min(n.due_at - make_interval(secs => c.clock_offset_seconds)) as at
      from sandbox_notifications n join clients c on c.id = n.client_id
     where n.sent_at is null and c.clock_frozen_at is null
       and n.due_at <= now() + make_interval(secs => c.clock_offset_seconds + ${withinSeconds})`;
  return row?.at ?? undefined;
}

const ANSWER_MS = 10_000;
const OK = 200;
const UNAUTHORIZED = 401;

let ours: Transport | undefined;

/** The installation's own address, reached like any other host. */
function ownAddress(): Transport {
  const { BASE_URL } = env();
  ours ??= createHttpTransport({
    baseUrl: BASE_URL,
    allowedHosts: [new URL(BASE_URL).hostname],
    allowPlainHttp: true,
  });
  return ours;
}

/** Sends in this order and answers what was not taken. One that is refused as forged or too old was meant to be. */
export async function sendNotifications(
  waiting: readonly Waiting[],
  transport: Transport = ownAddress(),
): Promise<Waiting[]> {
  const left: Waiting[] = [];
  for (const one of waiting) {
    const request = await requestOf(one);
    if (!request) continue;
    let isTaken = true;
    for (let copy = 0; copy < one.copies; copy++) isTaken = (await isReceived(transport, request)) && isTaken;
    if (!isTaken) left.push(one);
  }
  return left;
}

async function requestOf(waiting: Waiting): Promise<OutboundRequest | undefined> {
  const [provider] = await systemDb().select().from(providers).where(eq(providers.id, waiting.providerId));
  if (!provider) return undefined;
  const notification = { ...waiting, occurredAt: new Date(waiting.occurredAt) };
  const secret = openCredentials(provider.id, provider.credentials);
  const { headers, body } = signedNotification(notification, secret, realNow());
  return {
    method: "POST",
    path: `/v1/providers/${provider.id}/notifications`,
    headers,
    // Parsed only to be written again by the client: the same members in the same order give the signed bytes.
    body: JSON.parse(body) as unknown,
  };
}

async function isReceived(transport: Transport, request: OutboundRequest): Promise<boolean> {
  const given = await transport.send(request, {
    deadline: addSeconds(realNow(), ANSWER_MS / 1000),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (given.kind === "answered" && (given.status === OK || given.status === UNAUTHORIZED)) return true;
  log.warn({ route: request.path, outcome: given.kind }, "a simulated notification was not taken");
  return false;
}
