import type postgres from "postgres";
import { systemSql } from "@/db/client";
import type { requestLogs } from "@/db/schema/accounts";
import type { Account, Principal } from "@/lib/context";
import type { EndpointSpec } from "@/lib/http/endpoint";
import { knownMembers } from "@/lib/http/known-members";
import { redact, shownText } from "@/lib/http/redact";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { countRequest } from "@/lib/metrics";
import { monotonicMs, nowOn } from "@/lib/time";

export interface LoggedExchange {
  requestId: string;
  startedMs: number;
  spec: EndpointSpec;
  request: Request;
  account?: Account;
  principal?: Principal;
  requestBody?: unknown;
  responseBody?: Buffer | undefined;
  status: number;
  replayed: boolean;
}

const FLUSH_MS = 500;
const BATCH = 200;
/** Beyond this many waiting rows new ones are dropped: the log never slows a payment down. */
const MOST_WAITING = 5_000;
const LONGEST_BODY_BYTES = 16_384;
const LONGEST_PATH = 500;

/** What happened, when it did: the row is written later. */
interface Waiting {
  exchange: LoggedExchange;
  durationMs: number;
  at: Date;
}

const waiting: Waiting[] = [];
let timer: NodeJS.Timeout | undefined;

/** One structured line at once; the stored row, redacted, in the next batch. */
export function logExchange(exchange: LoggedExchange): void {
  const { spec, account, principal, requestId, status, replayed } = exchange;
  const durationMs = Math.round(monotonicMs() - exchange.startedMs);
  countRequest(spec.method, spec.path, status, durationMs);
  log.info(
    {
      requestId,
      clientId: account?.id ?? null,
      keyKind: principal?.kind ?? null,
      method: spec.method,
      route: spec.path,
      status,
      replayed,
      durationMs,
    },
    "request",
  );
  if (!account || waiting.length >= MOST_WAITING) return;
  waiting.push({ exchange, durationMs, at: nowOn(account.clock) });
  timer ??= setTimeout(() => void flushRequestLog(), FLUSH_MS);
}

export async function flushRequestLog(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  while (waiting.length > 0) {
    const rows = waiting.splice(0, BATCH).flatMap(toRow);
    try {
      if (rows.length > 0) await store(rows);
    } catch (thrown) {
      log.warn({ count: rows.length, error: thrown }, "request log rows lost");
    }
  }
}

type Row = typeof requestLogs.$inferInsert;

/** One statement for any number of rows: they travel as one JSON value. */
async function store(rows: Row[]): Promise<void> {
  const sql = systemSql();
  // Guarantee: rows hold text, numbers, booleans, JSON and instants, all of which JSON takes.
  await sql`
    insert into request_logs (id, client_id, request_id, key_kind, method, path, route, status, duration_ms, ip,
      idempotency_key, replayed, query, request_body, response_body, created_at)
    select "id", "clientId", "requestId", "keyKind", "method", "path", "route", "status", "durationMs", "ip",
      "idempotencyKey", "replayed", "query", "requestBody", "responseBody", "createdAt"
      from jsonb_to_recordset(${sql.json(rows as unknown as postgres.JSONValue)}::jsonb) as given("id" uuid,
        "clientId" uuid, "requestId" text, "keyKind" text, "method" text, "path" text, "route" text, "status" int,
        "durationMs" int, "ip" text, "idempotencyKey" text, "replayed" boolean, "query" jsonb, "requestBody" jsonb,
        "responseBody" jsonb, "createdAt" timestamptz)`;
}

function toRow({ exchange, durationMs, at }: Waiting): Row[] {
  const { spec, request, account, principal } = exchange;
  if (!account || !principal) return [];
  const url = new URL(request.url);
  const given = request.headers.get("x-idempotency-key");
  return [
    {
      id: newId(),
      clientId: account.id,
      requestId: exchange.requestId,
      keyKind: principal.kind,
      method: spec.method,
      path: shownText(url.pathname.replaceAll("%20", " ")).slice(0, LONGEST_PATH),
      route: spec.path,
      status: exchange.status,
      durationMs,
      ip: request.headers.get("x-trilho-address"),
      idempotencyKey: given === null ? null : shownText(given),
      replayed: exchange.replayed,
      query: redact(knownMembers(spec.query, Object.fromEntries(url.searchParams))),
      requestBody: redact(
        knownMembers(spec.body, exchange.requestBody, {
          files: Object.keys(spec.files ?? {}),
          isFreeHidden: spec.cardAt !== undefined,
        }),
      ),
      responseBody: redact(parse(exchange.responseBody)),
      createdAt: at,
    },
  ];
}

function parse(body: Buffer | undefined): unknown {
  if (!body || body.length === 0 || body.length > LONGEST_BODY_BYTES) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
