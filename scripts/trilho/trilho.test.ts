import { type ChildProcess, spawn } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dispatch } from "@/app/api/registry";
import { flushRequestLog } from "@/lib/http/request-log";
import { openClient, openMerchant, type TestClient } from "@/lib/testing/api";
import type { Dispatcher } from "@/lib/webhooks/dispatcher";
import {
  emitEvent,
  openDispatcher,
  openReceiver,
  type Receiver,
  status,
  type WebhookReply,
} from "@/lib/webhooks/testing";
import { serveFetch } from "@/scripts/server/adapter";
import { inRoot } from "@/scripts/start/paths";
import { TRIGGERS } from "@/scripts/trilho/trigger";

const dataDir = mkdtempSync(join(tmpdir(), "trilho-cli-"));
let client: TestClient;
let dispatcher: Dispatcher;
let receiver: Receiver;
let server: Server;
let port = 0;

async function serve(): Promise<void> {
  server = createServer((request, response) => {
    serveFetch(dispatch, request, response, `http://127.0.0.1:${port}`).catch(() => response.destroy());
  });
  await new Promise<void>((ready) => server.listen(port, "127.0.0.1", ready));
  // Guarantee: a server that listens on TCP has an address of this kind.
  port = (server.address() as AddressInfo).port;
}
const stopServing = () => {
  server.closeAllConnections();
  return new Promise((closed) => server.close(closed));
};

beforeAll(async () => {
  client = await openClient();
  await openMerchant(client);
  await serve();
  [dispatcher, receiver] = [await openDispatcher({ timeoutMs: 1_000 }), await openReceiver()];
});
afterAll(async () => {
  await Promise.all([dispatcher.stop(), receiver.stop(), stopServing()]);
  rmSync(dataDir, { recursive: true });
});

interface Cli {
  child: ChildProcess;
  output: { text: string };
  ended: Promise<number | null>;
}

function start(...args: string[]): Cli {
  const { clientId, apiKey } = client;
  const child = spawn(process.execPath, [inRoot("scripts", "trilho.mjs"), ...args], {
    cwd: dataDir,
    env: {
      ...process.env,
      TRILHO_DATA_DIR: dataDir,
      TRILHO_CLIENT_ID: clientId,
      TRILHO_API_KEY: apiKey,
      TRILHO_BASE_URL: `http://127.0.0.1:${port}`,
    },
  });
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output.text += chunk.toString();
    });
  }
  return { child, output, ended: new Promise((resolve) => child.once("exit", resolve)) };
}

async function run(...args: string[]): Promise<{ code: number | null; text: string }> {
  const { ended, output } = start(...args);
  return { code: await ended, text: output.text };
}

const soon = { timeout: 15_000, interval: 25 };
const says = (cli: Cli, text: string | RegExp) => expect.poll(() => cli.output.text, soon).toMatch(text);
const listening = async (...args: string[]): Promise<Cli> => {
  const cli = start("listen", "--forward-to", receiver.url, ...args);
  await says(cli, /Ready\./);
  return cli;
};
const names = () =>
  receiver.received.map(({ body }) => {
    // Guarantee: the frozen text of an event.
    const { object, event } = JSON.parse(body.toString()) as { object: string; event: string };
    return `${object}.${event}`;
  });
const ownListener = async (): Promise<WebhookReply> => {
  const { items } = await client.make<{ items: WebhookReply[] }>("GET", "/v1/webhooks");
  const found = items.find(({ endpoint }) => endpoint.startsWith("listener:cli-"));
  if (!found) throw new Error("listen makes one");
  return found;
};

describe("trilho listen", () => {
  it("sends on what happens with both signatures, what happened while it was killed, and what is sent again", async () => {
    const first = await listening();
    expect(await run("trigger", "transaction.authorized")).toMatchObject({ code: 0 });
    await expect.poll(names, soon).toContain("transaction.authorized");
    await says(first, /transaction\.authorized +[0-9a-f-]{36} {2}→ 200/);
    const { publicKey } = await ownListener();
    expect(first.output.text).toContain(publicKey.trim());
    const [sent] = receiver.received;
    if (!sent) throw new Error("received above");
    const { headers, body } = sent;
    const standard = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`), body]);
    const signature = Buffer.from(String(headers["webhook-signature"]).slice("v1a,".length), "base64");
    expect(verify(null, standard, createPublicKey(publicKey), signature)).toBe(true);
    const legacy = Buffer.concat([Buffer.from(`${headers["x-signature-date"]}\n`), body]);
    expect(verify(null, legacy, createPublicKey(publicKey), Buffer.from(String(headers["x-signature"]), "hex"))).toBe(
      true,
    );

    first.child.kill("SIGKILL");
    await first.ended;
    const before = receiver.received.length;
    expect((await run("trigger", "transaction.failed")).text).toContain("A card is declined");
    expect(receiver.received).toHaveLength(before);
    const second = await listening();
    await expect.poll(names, soon).toContain("transaction.failed");
    expect(second.output.text).toMatch(/Since \d{4}-/);

    const [kept] = receiver.received;
    const resent = await run("events", "resend", kept?.id ?? "");
    expect(resent.text).toMatch(/\(resent\)/);
    const copies = () => receiver.received.filter(({ id }) => id === kept?.id);
    await expect.poll(() => copies().length, soon).toBe(2);
    expect(copies()[1]?.body.equals(kept?.body ?? Buffer.alloc(0))).toBe(true);

    await stopServing();
    await says(second, /trying again/);
    const missed = await emitEvent(client);
    await serve();
    await expect.poll(() => receiver.received.map(({ entityId }) => entityId), soon).toContain(missed);
    await says(second, /connected again/);
    second.child.kill("SIGINT");
    expect(await second.ended).toBe(0);
  }, 90_000);

  it("waits for a receiver that is started after it, as the guide's reader may do", async () => {
    const url = receiver.url;
    await receiver.stop();
    const cli = start("listen", "--forward-to", url);
    await says(cli, /Ready\./);
    const early = await emitEvent(client);
    await says(cli, /Nobody listens at/);
    receiver = await openReceiver(status(200), Number(new URL(url).port));
    await expect.poll(() => receiver.received.map(({ entityId }) => entityId), soon).toEqual([early]);
    await says(cli, /→ 200/);
    cli.child.kill("SIGINT");
    expect(await cli.ended).toBe(0);
  }, 60_000);

  it("gets what it missed even when its endpoint was deleted meanwhile", async () => {
    const { id } = await ownListener();
    await client.make("DELETE", `/v1/webhooks/${id}`);
    const missed = await emitEvent(client);
    const cli = await listening();
    await expect.poll(() => receiver.received.map(({ entityId }) => entityId), soon).toContain(missed);
    cli.child.kill("SIGINT");
    await cli.ended;
  }, 40_000);

  it("reports what the local program answers, and shows events without one", async () => {
    receiver.answer((response) => response.writeHead(500).end());
    const cli = await listening("--name", "other", "--events", "card.*");
    await emitEvent(client, undefined, { object: "card", event: "failed" });
    await says(cli, /card\.failed.*→ 500/);
    cli.child.kill("SIGINT");
    expect(await cli.ended).toBe(0);
    const { items } = await client.make<{ items: WebhookReply[] }>("GET", "/v1/webhooks");
    const listener = items.find(({ endpoint }) => endpoint === "listener:other");
    const deliveries = await client.make("GET", `/v1/webhooks/${listener?.id}/deliveries`);
    expect(deliveries.items).toMatchObject([{ status: "scheduled", attempts: [{ statusCode: 500 }] }]);
  }, 40_000);
});

describe("the other commands", () => {
  it("show the calls of the account, its events, and what can be triggered", async () => {
    await client.call("GET", "/v1/charges/nothing");
    await flushRequestLog();
    const [logs, events, list] = await Promise.all([
      run("logs", "tail", "--once"),
      run("events", "list", "--events", "transaction.*"),
      run("trigger", "--list"),
    ]);
    expect(logs.text).toMatch(/GET +\d{3} {2}\/v1\/charges\/nothing/);
    expect(logs.text).not.toContain("/listen");
    expect(events.text).toContain("transaction.authorized");
    for (const name of Object.keys(TRIGGERS)) expect(list.text).toContain(name);
  }, 40_000);

  it("end in silence when nobody reads on, as `| head` does", async () => {
    const { child, output, ended } = start("trigger", "--list");
    child.stdout?.destroy();
    expect([await ended, output.text]).toEqual([0, ""]);
  });

  it("say what is wrong in a line, and end with 1", async () => {
    const wrong = await Promise.all([
      run("sing"),
      run("trigger", "moon.full"),
      run("listen", "--forward-to", "localhost"),
      run("events", "resend", "nothing"),
      run("listen", "--volume", "11"),
      run("logs", "tail", "--base-url", "http://127.0.0.1:1", "--once"),
    ]);
    for (const { code, text } of wrong) {
      expect(code).toBe(1);
      expect(text).not.toMatch(/\n\s+at /);
    }
    expect(wrong[5]?.text).toContain("Is Trilho running?");
  }, 40_000);
});
