import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { systemSql } from "@/db/client";
import { inTransaction } from "@/lib/context";
import { emit } from "@/lib/events";
import { newId } from "@/lib/ids";
import type { TestClient } from "@/lib/testing/api";
import { type Dispatcher, type DispatcherOptions, startDispatcher } from "@/lib/webhooks/dispatcher";

// biome-ignore lint/style/noProcessEnv: as npm start has it with its own database, so that this machine may be told
Object.assign(process.env, { HOST: "127.0.0.1", BASE_URL: "http://localhost", CHECKOUT_URL: "http://trilho.test" });

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Of the event. */
  id: string;
  entityId: string;
  version: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** What the next requests are answered with; 200 at first. */
  answer(how: Answering): void;
  stop(): Promise<void>;
}
export type Answering = (response: ServerResponse, request: IncomingMessage, nth: number) => void;

export const status =
  (code: number, headers: Record<string, string> = {}): Answering =>
  (response) =>
    response.writeHead(code, headers).end();

/** An endpoint on this machine that keeps what it was sent. */
export async function openReceiver(how: Answering = status(200), onPort = 0): Promise<Receiver> {
  const received: Received[] = [];
  let answering = how;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      // Guarantee: only our own dispatcher posts here.
      const { id, entityVersion, data } = JSON.parse(body.toString("utf8")) as {
        id: string;
        entityVersion: number;
        data: { id?: string };
      };
      const path = request.url ?? "";
      received.push({ path, headers: request.headers, body, id, entityId: data.id ?? "", version: entityVersion });
      answering(response, request, received.length);
    });
  });
  await new Promise<void>((ready) => server.listen(onPort, "127.0.0.1", ready));
  // Guarantee: a server that listens on TCP has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer(next) {
      answering = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** An event of an entity, as any service emits it. */
export async function emitEvent(
  client: TestClient,
  entityId: string = newId(),
  { object = "transaction", event = "authorized" } = {},
): Promise<string> {
  const ctx = await client.context();
  await inTransaction(ctx, (inside) => emit(inside, { object, event, entityId, data: { id: entityId } }));
  return entityId;
}

export interface WebhookReply {
  id: string;
  publicKey: string;
  previousPublicKey?: string;
  previousKeyExpiresAt?: string;
  status: boolean;
  health: string;
  event: string;
  endpoint: string;
  disabledAt?: string;
  disabledReason?: string;
  [member: string]: unknown;
}

export const openWebhook = (
  client: TestClient,
  endpoint: string,
  changes: Record<string, unknown> = {},
): Promise<WebhookReply> =>
  client.make<WebhookReply>("POST", "/v1/webhooks", { body: { event: "*", endpoint, ...changes } });

export interface DeliveryReply {
  id: string;
  eventId: string;
  status: string;
  attempts: { number: number; statusCode?: number; error?: string; at: string; durationMs: number }[];
  nextAttemptAt?: string;
  deliveredAt?: string;
  createdAt: string;
  [member: string]: unknown;
}

export const deliveriesOf = async (
  client: TestClient,
  webhookId: string,
  query: Record<string, string | number> = {},
): Promise<DeliveryReply[]> =>
  (
    await client.make<{ items: DeliveryReply[] }>("GET", `/v1/webhooks/${webhookId}/deliveries`, {
      query: { order: "asc", limit: 100, ...query },
    })
  ).items;

export const readWebhook = (client: TestClient, id: string): Promise<WebhookReply> =>
  client.make<WebhookReply>("GET", `/v1/webhooks/${id}`);

export const advance = (client: TestClient, span: string): Promise<unknown> =>
  client.make("POST", "/v1/sandbox/clock", { body: { advance: span } });

export const openDispatcher = (options: Partial<DispatcherOptions> = {}): Promise<Dispatcher> =>
  startDispatcher({ sql: systemSql(), ...options });
