import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import postgres from "postgres";
import type { HostQuestion, Opened, Usage } from "@/bench/compare/host";
import { serverCpuSeconds } from "@/bench/machine";
import { answerQuestions, ownCpuSeconds } from "@/bench/processes";
import { type Embedded, startEmbedded, stopEmbedded } from "@/db/embedded";
import { inRoot } from "@/scripts/start/paths";

/**
 * The least that a durable charge can cost: a bare server that writes key, charge, attempt and event in one statement.
 * It checks nothing, calls nobody and answers what it was sent. Fixed: what the product is measured against must not
 * move with it.
 */
const CLUSTER = inRoot(".data", "bench-minimum", "postgres");
const CONNECTIONS = 16;
const SETTINGS = { max_wal_size: "4GB" };

const TABLES = `
  create table keys (account uuid, key text, fingerprint bytea not null, status int not null, body text not null,
    created_at timestamptz not null default now(), primary key (account, key));
  create table charges (id uuid primary key, account uuid not null, merchant uuid not null, status text not null,
    amount bigint not null, order_id text, method jsonb not null, created_at timestamptz not null default now());
  create index on charges (account, created_at);
  create table attempts (id uuid primary key, charge uuid not null references charges, reference text not null unique,
    state text not null, created_at timestamptz not null default now());
  create table events (id uuid primary key, account uuid not null, charge uuid not null, type text not null,
    data jsonb not null, created_at timestamptz not null default now());
  create index on events (account, created_at);`;

const WRITE = `
  with key as (insert into keys (account, key, fingerprint, status, body) values ($1, $2, sha256($3::bytea), 201, $4)),
  charge as (insert into charges (id, account, merchant, status, amount, order_id, method)
    values ($5, $1, $6, 'authorized', $7, $8, $9::jsonb) returning id),
  attempt as (insert into attempts (id, charge, reference, state) select $10, id, $11, 'approved' from charge)
  insert into events (id, account, charge, type, data) select $12, $1, id, 'transaction.authorized', $4::jsonb from charge`;

interface Body {
  merchantId: string;
  amount: number;
  orderId: string;
  paymentMethod: object;
}

const account = randomUUID();
let database: { server: Embedded; sql: postgres.Sql } | undefined;
const opened = () => {
  if (!database) throw new Error("not opened yet");
  return database;
};

const server = createServer(async (request, response) => {
  try {
    const text = await textOf(request);
    // Guarantee: only the load generator asks here.
    const { merchantId, amount, orderId, paymentMethod } = JSON.parse(text) as Body;
    const id = randomUUID();
    const answer = JSON.stringify({ id, merchantId, status: "authorized", amount, orderId, paymentMethod });
    const key = String(request.headers["x-idempotency-key"]);
    const values = [account, key, Buffer.from(text), answer, id, merchantId, amount, orderId];
    await opened().sql.unsafe(
      WRITE,
      [...values, JSON.stringify(paymentMethod), randomUUID(), randomUUID(), randomUUID()],
      { prepare: true },
    );
    response.writeHead(201, { "content-type": "application/json; charset=utf-8" }).end(answer);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

answerQuestions<HostQuestion>(async (question): Promise<unknown> => {
  switch (question.ask) {
    case "open": {
      await stopEmbedded(CLUSTER);
      const own = await startEmbedded({ cluster: CLUSTER, database: "minimum", settings: SETTINGS });
      const sql = postgres(own.url, { max: CONNECTIONS, onnotice: () => undefined });
      await sql.unsafe(`drop schema public cascade; create schema public; ${TABLES}`);
      database = { server: own, sql };
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      // Guarantee: a server that listens on a port has an AddressInfo.
      const { port } = server.address() as AddressInfo;
      return { port, headers: { "content-type": "application/json" }, statements: 1, roundTrips: 1 } satisfies Opened;
    }
    case "bodies":
      return Array.from({ length: question.count }, () =>
        JSON.stringify({
          merchantId: account,
          amount: 10_500,
          orderId: "bench",
          paymentMethod: { paymentType: "credit", installments: 1 },
          paymentSource: { sourceType: "token", tokenId: randomUUID() },
          capture: true,
        }),
      );
    case "usage": {
      const [wal] = await opened().sql<{ bytes: string }[]>`
        select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`;
      return {
        nodeSeconds: ownCpuSeconds(),
        databaseSeconds: serverCpuSeconds(opened().server.pid),
        walBytes: Number(wal?.bytes ?? 0),
      } satisfies Usage;
    }
    case "close":
      await opened().sql.end({ timeout: 5 });
      await opened().server.stop();
      return {};
  }
});
