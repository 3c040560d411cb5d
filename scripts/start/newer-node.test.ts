import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { openClient, openMerchant } from "@/lib/testing/api";
import { plannedRuntimeUrl, testDatabaseUrl } from "@/lib/testing/database";
import { leftOutIf } from "@/lib/testing/left-out";
import { openToken } from "@/lib/testing/payments";
import { end, type Running, run, statusOf, until } from "@/lib/testing/processes";
import { TESTED_NODES } from "@/scripts/checks/node-versions";
import { inRoot } from "@/scripts/start/paths";

const INSTALL_MS = 120_000;
const CARDS = [5_000, 5_001];

/** The program that npm's `node` package brings of this version; undefined where it cannot be had. */
function nodeOf(major: number): string | undefined {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = inRoot(".data", `node-${major}`);
  const program = join(folder, "node_modules", name, "bin", "node");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    const given = ["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder];
    spawnSync("npm", [...given, `${name}@${major}`], { timeout: INSTALL_MS, stdio: "ignore" });
  }
  const said = spawnSync(program, ["--version"], { encoding: "utf8" }).stdout ?? "";
  return said.startsWith(`v${major}.`) ? program : undefined;
}

for (const major of TESTED_NODES) {
  test(`on Node ${major} web and worker start, take payments, and stop`, { timeout: 300_000 }, async (context) => {
    const node = nodeOf(major);
    leftOutIf(context, node ? undefined : `npm brings no Node ${major} here`);
    await testDatabaseUrl();
    const settings = { DATABASE_URL: plannedRuntimeUrl(), SHUTDOWN_GRACE_SECONDS: "0" };
    const [web, worker] = await Promise.all([run("web", settings, node), run("worker", settings, node)]);
    try {
      await until(web, "ready", async () => (await statusOf(web.port, "/readyz")) === 200);
      const client = await openClient();
      const merchant = await openMerchant(client);
      const pay = async () => ({
        paymentMethod: { paymentType: "credit" },
        paymentSource: { sourceType: "token", tokenId: await openToken(client) },
      });
      const ask = asking(web, client);
      const common = { merchantId: merchant.id, capture: true };
      const charge = await ask("/v1/charges", { ...common, amount: 7_000, ...(await pay()) });
      expect(charge.status).toBe("authorized");
      const payments = await Promise.all(CARDS.map(async (amount) => ({ amount, ...(await pay()) })));
      const amount = CARDS.reduce((sum, one) => sum + one, 0);
      const purchase = await ask("/v1/purchases", { ...common, amount, payments });
      await expect
        .poll(async () => (await ask(`/v1/purchases/${purchase.id}`)).status, { timeout: 60_000 })
        .toBe("paid");
      expect(await Promise.all([end(web, "SIGTERM"), end(worker, "SIGTERM")])).toEqual([0, 0]);
    } finally {
      await Promise.all([end(web), end(worker)]);
    }
  });
}

function asking({ port }: Running, { clientId, apiKey }: { clientId: string; apiKey: string }) {
  const headers = { "x-client-id": clientId, "x-api-key": apiKey, "content-type": "application/json" };
  return async (path: string, body?: object): Promise<{ id: string; status: string }> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body ? "POST" : "GET",
      headers: { ...headers, ...(body ? { "x-idempotency-key": newId() } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
    // Guarantee: charges and purchases have both.
    return JSON.parse(text) as { id: string; status: string };
  };
}
