import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { recoverCharges } from "@/lib/scheduler/recover";
import { openClient } from "@/lib/testing/api";
import { cardFields, formsOf, pathOf, visitorOf } from "@/lib/testing/buyer";
import { type ChargeReply, type Shop, withMerchant } from "@/lib/testing/payments";
import { CREDIT, openSession, PIX, unlikeRows } from "@/lib/testing/sessions";
import { pause } from "@/lib/wait";
import { buildIslands } from "@/scripts/start/islands";

const BUNDLE = join(process.cwd(), ".data", "test", `checkout-process.${process.pid}.mjs`);
const LOOK_AGAIN_MS = 10;
const PATIENCE_MS = 60_000;
const PAYS = ["pix", "card", "cards"];

beforeAll(async () => {
  await buildIslands();
  await build({
    entryPoints: ["lib/testing/checkout-process.ts"],
    outfile: BUNDLE,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    jsx: "automatic",
    logLevel: "error",
  });
});
afterAll(() => rmSync(BUNDLE, { force: true }));

async function startPages(): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [BUNDLE], {
    stdio: ["ignore", "pipe", "inherit"],
    // The bank's answer takes its time and is waited for.
    env: { ...process.env, DATABASE_POOL: "6", PROVIDER_TIMEOUT_MS: "20000" },
  });
  if (!child.stdout) throw new Error("a process without output");
  for await (const line of createInterface({ input: child.stdout })) {
    // Guarantee: the program writes its port and nothing else.
    return { child, port: (JSON.parse(line) as { port: number }).port };
  }
  throw new Error("the process ended before it served");
}

/** Nothing a bank answers at once: the simulator takes three seconds for this buyer. */
const SLOW = { ...cardFields(), cardNumber: "4111 1111 1111 1111", email: "ana+slow@example.com" };

const MOMENTS: readonly (readonly [string, (shop: Shop) => Promise<boolean>])[] = [
  [
    "when the attempt is recorded and the bank is being asked",
    async ({ client }) =>
      (await systemSql()`select from transaction_requests where client_id = ${client.clientId}`).length > 0,
  ],
  [
    "when the bank has said yes and nobody has heard it",
    async ({ client }) =>
      (await systemSql()`select from sandbox_transactions where client_id = ${client.clientId} and authorized > 0`)
        .length > 0,
  ],
];

describe("killed in the middle of a payment", () => {
  test.each(MOMENTS)(
    "%s: one charge, and the buyer who comes back sees what became of it",
    async (_when, isTime) => {
      const shop = await withMerchant(await openClient());
      const link = await openSession(shop, { paymentMethods: [CREDIT, PIX] });
      let pages = await startPages();
      const buyer = visitorOf((request) => {
        const url = new URL(request.url);
        url.protocol = "http:";
        url.host = `127.0.0.1:${pages.port}`;
        return new Promise<Response>((resolve, reject) => {
          request
            .text()
            .then((body) =>
              fetch(url, {
                method: request.method,
                headers: request.headers,
                redirect: "manual",
                ...(request.method === "POST" ? { body } : {}),
              }),
            )
            .then(resolve, reject);
        });
      });
      const page = await buyer.open(pathOf(link, "?method=card"));
      const lost = buyer.send(page, "card", SLOW).catch(() => undefined);
      for (let waited = 0; !(await isTime(shop)) && waited < PATIENCE_MS; waited += LOOK_AGAIN_MS)
        await pause(LOOK_AGAIN_MS);
      pages.child.kill("SIGKILL");
      await lost;
      pages = await startPages();

      const meanwhile = await buyer.open(pathOf(link));
      expect(["processing", "confirming", "paid"]).toContain(meanwhile.state);
      expect(formsOf(meanwhile).filter((form) => PAYS.includes(form))).toEqual([]);
      // Sent once more, as a browser offers to: it leads to the payment that there is.
      const again = await buyer.send(page, "card", SLOW);
      expect(again.path).toContain("/p/");

      // What the dead left is found by its lease; here the lease's end is brought forward.
      const sql = systemSql();
      for (let round = 0; round < 50; round++) {
        await sql`update charges set lease_until = now() - interval '1 second'
                 where client_id = ${shop.client.clientId} and lease_until is not null`;
        if ((await recoverCharges()) === 0) break;
      }
      await shop.client.make("POST", "/v1/sandbox/clock", { body: { advance: "PT2H" } });
      const { items } = await shop.client.make<{ items: ChargeReply[] }>("GET", "/v1/charges", {
        query: { sessionId: link.id },
      });
      const ends: Record<string, string> = { authorized: "paid", failed: "declined", voided: "canceled" };
      expect([items.length, (await buyer.open(again.path)).state]).toEqual([1, ends[items[0]?.status ?? ""]]);
      const [held] = await sql<{ n: number }[]>`
      select count(*)::int as n from sandbox_transactions
       where client_id = ${shop.client.clientId} and state in ('held', 'captured')`;
      expect(held?.n).toBe(items[0]?.status === "authorized" ? 1 : 0);
      expect(await unlikeRows(shop)).toEqual([]);
      pages.child.kill("SIGKILL");
    },
    120_000,
  );
});
