import { spawnSync } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemSql } from "@/db/client";
import { newId } from "@/lib/ids";
import { openClient, type TestClient } from "@/lib/testing/api";
import { leftOutIf } from "@/lib/testing/left-out";
import type { Dispatcher } from "@/lib/webhooks/dispatcher";
import {
  deliveriesOf,
  emitEvent,
  openDispatcher,
  openReceiver,
  openWebhook,
  type Received,
  type Receiver,
  readWebhook,
  status,
} from "@/lib/webhooks/testing";

let dispatcher: Dispatcher;
const open: Receiver[] = [];
beforeAll(async () => {
  // It never looks by itself: what it sends, it was told of.
  dispatcher = await openDispatcher({ timeoutMs: 1_000, pollEveryMs: 600_000 });
});
afterAll(() => dispatcher.stop());
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.stop()));
});

async function receiver(...args: Parameters<typeof openReceiver>): Promise<Receiver> {
  const opened = await openReceiver(...args);
  open.push(opened);
  return opened;
}

const soon = { timeout: 8_000, interval: 15 };
const statuses = async (client: TestClient, id: string) => (await deliveriesOf(client, id)).map((one) => one.status);

/**
 * The verifier of the Standard Webhooks project reads the headers, judges the time and says what is signed; the package
 * knows the symmetric form alone, so the asymmetric signature is checked in the place of its own.
 */
class AsymmetricWebhook extends Webhook {
  constructor(
    private readonly pem: string,
    private readonly signatures: readonly string[],
  ) {
    super("unused", { format: "raw" });
  }
  override sign(id: string, at: Date, payload: string | Buffer): string {
    const content = Buffer.from(`${id}.${Math.floor(at.getTime() / 1_000)}.${payload.toString()}`);
    const good = this.signatures.find((each) =>
      verify(null, content, createPublicKey(this.pem), Buffer.from(each, "base64")),
    );
    return `v1,${good ?? "none"}`;
  }
}

const standardVerifies = (pem: string, { headers, body }: Pick<Received, "headers" | "body">): boolean => {
  const given = String(headers["webhook-signature"]);
  expect(given).toMatch(/^v1a,[A-Za-z0-9+/]{86}==( v1a,[A-Za-z0-9+/]{86}==)?$/);
  const verifier = new AsymmetricWebhook(
    pem,
    given.split(" ").map((each) => each.slice("v1a,".length)),
  );
  try {
    // Guarantee: the three headers are single texts.
    const read = { ...(headers as Record<string, string>), "webhook-signature": given.replaceAll("v1a,", "v1,") };
    verifier.verify(body.toString("utf8"), read);
    return true;
  } catch {
    return false;
  }
};

const plainVerifies = (pem: string, { headers, body }: Pick<Received, "headers" | "body">): boolean =>
  verify(
    null,
    Buffer.concat([Buffer.from(`${headers["x-signature-date"]}\n`), body]),
    createPublicKey(pem),
    Buffer.from(String(headers["x-signature"]), "hex"),
  );

describe("an event", () => {
  it("reaches its webhook as soon as it is committed, as it was frozen, and its delivery says so", async () => {
    const client = await openClient();
    const { url, received } = await receiver();
    const webhook = await openWebhook(client, url);
    const entityId = await emitEvent(client);
    await expect.poll(() => received.length, soon).toBe(1);
    const [sent] = received;
    const [event] = await systemSql()<{ id: string; body: Buffer }[]>`
      select id, body from events where entity_id = ${entityId}`;
    expect(sent?.body.equals(event?.body ?? Buffer.alloc(0))).toBe(true);
    expect(sent?.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Trilho-Webhooks/1",
      "webhook-id": event?.id,
      "x-idempotency-key": event?.id,
    });
    await expect.poll(() => statuses(client, webhook.id), soon).toEqual(["delivered"]);
    const [delivery] = await deliveriesOf(client, webhook.id);
    expect(delivery).toEqual({
      id: expect.any(String),
      webhookId: webhook.id,
      eventId: event?.id,
      event: "transaction.authorized",
      status: "delivered",
      attempts: [{ number: 1, at: expect.any(String), durationMs: expect.any(Number), statusCode: 200 }],
      deliveredAt: expect.any(String),
      createdAt: expect.any(String),
    });
  });

  it("reaches those webhooks that subscribed to it, each once, and no other client's", async () => {
    const [client, other] = [await openClient(), await openClient()];
    const { url, received } = await receiver();
    for (const event of ["*", "transaction.*", "transaction.failed", "card.*", "seller.*"]) {
      await openWebhook(client, `${url}/${event}`, { event });
    }
    await openWebhook(client, `${url}/off`, { status: false });
    await openWebhook(other, `${url}/other`);
    await emitEvent(client, undefined, { object: "transaction", event: "failed" });
    await emitEvent(client, undefined, { object: "seller.registration_review", event: "opened" });
    await emitEvent(other, undefined, { object: "card", event: "active" });
    const expected = ["/hook/*", "/hook/*", "/hook/other", "/hook/transaction.*", "/hook/transaction.failed"];
    await expect.poll(() => received.map(({ path }) => path).sort(), soon).toEqual(expected);
  });

  it("verifies under the public key in both forms, and no longer when one byte of body, id or time changes", async () => {
    const client = await openClient();
    const { url, received } = await receiver();
    const { publicKey } = await openWebhook(client, url);
    await emitEvent(client);
    await expect.poll(() => received.length, soon).toBe(1);
    const [sent] = received;
    if (!sent) throw new Error("received above");
    expect([standardVerifies(publicKey, sent), plainVerifies(publicKey, sent)]).toEqual([true, true]);
    const body = Buffer.from(sent.body);
    body[body.length - 2] = (body[body.length - 2] ?? 0) ^ 1;
    const later = (name: string) => ({ ...sent.headers, [name]: String(Number(sent.headers[name]) + 1) });
    expect(standardVerifies(publicKey, { ...sent, body })).toBe(false);
    expect(plainVerifies(publicKey, { ...sent, body })).toBe(false);
    expect(standardVerifies(publicKey, { ...sent, headers: later("webhook-timestamp") })).toBe(false);
    expect(plainVerifies(publicKey, { ...sent, headers: later("x-signature-date") })).toBe(false);
    expect(standardVerifies(publicKey, { ...sent, headers: { ...sent.headers, "webhook-id": newId() } })).toBe(false);
  });
});

const opensslProblem = spawnSync("openssl", ["version"]).status === 0 ? undefined : "openssl is not on this machine";

it("both signatures verify with the openssl of the command line", async (context) => {
  leftOutIf(context, opensslProblem);
  const client = await openClient();
  const { url, received } = await receiver();
  const { publicKey } = await openWebhook(client, url);
  await emitEvent(client);
  await expect.poll(() => received.length, soon).toBe(1);
  const [sent] = received;
  if (!sent) throw new Error("received above");
  const folder = mkdtempSync(join(tmpdir(), "trilho-signature-"));
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const key = file("key.pem", publicKey);
  const verifies = (content: Buffer, signature: Buffer) =>
    spawnSync("openssl", [
      ...["pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", key],
      ...["-in", file("content", content), "-sigfile", file("signature", signature)],
    ]).status === 0;
  const { headers, body } = sent;
  const standard = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`), body]);
  const legacy = Buffer.concat([Buffer.from(`${headers["x-signature-date"]}\n`), body]);
  const signature = Buffer.from(String(headers["webhook-signature"]).slice("v1a,".length), "base64");
  expect(verifies(standard, signature)).toBe(true);
  expect(verifies(legacy, Buffer.from(String(headers["x-signature"]), "hex"))).toBe(true);
  expect(verifies(legacy, signature)).toBe(false);
  rmSync(folder, { recursive: true });
});

describe("a rotation", () => {
  it("signs with both keys for 24 hours; the previous one makes x-signature, and is forgotten by a second call", async () => {
    const client = await openClient();
    const { url, received } = await receiver();
    const first = await openWebhook(client, url);
    const rotate = () => client.make<typeof first>("POST", `/v1/webhooks/${first.id}/rotate-key`);
    const second = await rotate();
    expect(second.publicKey).not.toBe(first.publicKey);
    expect(second.previousPublicKey).toBe(first.publicKey);
    await emitEvent(client);
    await expect.poll(() => received.length, soon).toBe(1);
    const [sent] = received;
    if (!sent) throw new Error("received above");
    expect(String(sent.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    expect([first, second].map(({ publicKey }) => standardVerifies(publicKey, sent))).toEqual([true, true]);
    expect([first, second].map(({ publicKey }) => plainVerifies(publicKey, sent))).toEqual([true, false]);
    expect((await rotate()).previousPublicKey).toBe(second.publicKey);
    await client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT25H" } });
    expect(await readWebhook(client, first.id)).not.toHaveProperty("previousPublicKey");
    await emitEvent(client);
    await expect.poll(() => received.length, soon).toBe(2);
    expect(received[1]?.headers["webhook-signature"]).not.toContain(" ");
  });
});

describe("what an endpoint may answer", () => {
  const failures = [
    ["a server error", status(500), { statusCode: 500 }],
    [
      "a redirect, not followed",
      status(302, { location: "http://127.0.0.1:1/" }),
      { statusCode: 302, error: "redirect" },
    ],
    ["silence", () => undefined, { error: "timeout" }],
    ["a reset", (response) => response.destroy(), { error: "connection" }],
    ["something else than HTTP", (response) => response.socket?.end("nonsense\r\n\r\n"), { error: "connection" }],
  ] as const satisfies [string, Parameters<typeof openReceiver>[0], object][];
  it.each(failures)("%s is a failure, tried again five minutes after the first attempt", async (_, how, expected) => {
    const client = await openClient();
    const { url, received } = await receiver(how);
    const webhook = await openWebhook(client, url);
    await emitEvent(client);
    await expect.poll(async () => (await deliveriesOf(client, webhook.id))[0]?.attempts.length, soon).toBe(1);
    const [delivery] = await deliveriesOf(client, webhook.id);
    expect(delivery).toMatchObject({ status: "scheduled", attempts: [{ number: 1, ...expected }] });
    const [attempt] = delivery?.attempts ?? [];
    const pauseMs = Date.parse(delivery?.nextAttemptAt ?? "") - Date.parse(attempt?.at ?? "");
    expect(pauseMs).toBeGreaterThanOrEqual(270_000);
    expect(pauseMs).toBeLessThanOrEqual(330_000);
    expect(received).toHaveLength(1);
  });

  const successes = [
    ["204", status(204)],
    ["an endless body", (response) => endless(response.writeHead(200))],
    ["a body that never ends", (response) => response.writeHead(200).write("a")],
    [
      "a body that breaks off",
      (response) => response.writeHead(200, { "content-length": "10" }).write("a", () => response.destroy()),
    ],
  ] as const satisfies [string, Parameters<typeof openReceiver>[0]][];
  it.each(successes)("%s after a good status is a success, and 16 kB of it are kept at most", async (_, how) => {
    const client = await openClient();
    const { url } = await receiver(how);
    const webhook = await openWebhook(client, url);
    await emitEvent(client);
    await expect.poll(() => statuses(client, webhook.id), soon).toEqual(["delivered"]);
    const [kept] = await systemSql()<{ n: number }[]>`
      select coalesce(octet_length(response_body), 0) as n from webhook_attempts where client_id = ${client.clientId}`;
    expect(kept?.n).toBeLessThanOrEqual(16_384);
  });

  function endless(response: ServerResponse): void {
    const chunk = Buffer.alloc(65_536, "x");
    const more = () => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  }

  it("Retry-After moves the next attempt by an hour at most and uses none up", async () => {
    const client = await openClient();
    const { url } = await receiver(status(429, { "retry-after": "1000000000" }));
    const webhook = await openWebhook(client, url);
    await emitEvent(client);
    await expect.poll(async () => (await deliveriesOf(client, webhook.id))[0]?.attempts.length, soon).toBe(1);
    const [delivery] = await deliveriesOf(client, webhook.id);
    const at = Date.parse(delivery?.attempts[0]?.at ?? "");
    expect(Date.parse(delivery?.nextAttemptAt ?? "") - at).toBe(3_600_000);
    const [row] = await systemSql()`select counted from webhook_deliveries where id = ${delivery?.id ?? ""}`;
    expect(row?.counted).toBe(0);
  });

  it("410 stops the webhook, drops what was open, and an operator can see why", async () => {
    const client = await openClient();
    const { url, answer } = await receiver(status(500));
    const webhook = await openWebhook(client, url);
    await emitEvent(client);
    await expect.poll(async () => (await deliveriesOf(client, webhook.id))[0]?.attempts.length, soon).toBe(1);
    answer(status(410));
    await emitEvent(client);
    await expect.poll(() => statuses(client, webhook.id), soon).toEqual(["dropped", "dropped"]);
    expect(await readWebhook(client, webhook.id)).toMatchObject({
      status: false,
      health: "healthy",
      disabledReason: "gone",
      disabledAt: expect.any(String),
    });
    const rows = await systemSql()`
      select action from audit_log where object_id = ${webhook.id} and action = 'webhook.gone'`;
    expect(rows).toHaveLength(1);
  });
});
