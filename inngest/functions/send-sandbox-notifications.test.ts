import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dispatch } from "@/app/api/registry";
import { systemSql } from "@/db/client";
import { sendSandboxNotifications } from "@/inngest/functions/send-sandbox-notifications";
import { cronEvent, DRIVERS } from "@/lib/engine/testing";
import { openShop } from "@/lib/providers/sandbox/api/testing";

/** The installation as it hears itself: a real socket, and behind it the real routes. */
const heard: number[] = [];
const server = createServer((request, response) => {
  hear(request, response).catch(() => response.destroy());
});

async function hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const answer = await dispatch(
    new Request(`http://trilho.test${request.url}`, { method: "POST", headers, body: await text(request) }),
  );
  heard.push(answer.status);
  response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
}

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  // Before anything reads the configuration. A TCP server that listens has an address of this form.
  process.env.BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.closeAllConnections());
afterAll(() => server.close());

describe.each(DRIVERS)("the simulator's notifications through %s", (_, run) => {
  test("reach the installation's own address over HTTP, signed, and are kept", async () => {
    heard.length = 0;
    const shop = await openShop();
    const pix = await shop.pix();
    await shop.make("POST", `/v1/sandbox/pix/${pix.id}/pay`, { body: {} });
    const result = await run(sendSandboxNotifications, cronEvent(sendSandboxNotifications));
    expect(result.status).toBe("completed");
    expect(heard).toEqual([200]);
    const kept = await systemSql()`select type from provider_notifications where client_id = ${shop.clientId}`;
    expect(kept.map((row) => row.type)).toEqual(["payment.paid"]);
  });

  test("nothing to tell is no work", async () => {
    heard.length = 0;
    const result = await run(sendSandboxNotifications, cronEvent(sendSandboxNotifications));
    expect([result.status, heard]).toEqual(["completed", []]);
  });
});
