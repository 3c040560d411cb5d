import { expect, test, vi } from "vitest";
import { env } from "@/lib/env";
import { countWebhookAttempt } from "@/lib/metrics";
import { freePort } from "@/lib/testing/ports";
import { serveEngine } from "@/scripts/server/engine";

const TOKEN = "a token for the tests of a worker, long enough";

vi.mock("@/lib/env", async (original) => {
  const real = await original<typeof import("@/lib/env")>();
  return { ...real, env: () => ({ ...real.env(), METRICS_TOKEN: TOKEN }) };
});

test("a worker with a port of its own shows what it counted, to whoever has the token", async () => {
  const PORT = await freePort();
  const served = await serveEngine({ ...env(), HOST: "127.0.0.1", PORT });
  try {
    countWebhookAttempt(204, undefined, 12);
    countWebhookAttempt(undefined, "timeout", 15_000);
    const ask = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${PORT}/metrics`, { headers });
    expect((await ask({})).status).toBe(401);
    const text = await (await ask({ authorization: `Bearer ${TOKEN}` })).text();
    expect(text).toContain('trilho_webhook_attempts_total{outcome="2xx"} 1');
    expect(text).toContain('trilho_webhook_attempts_total{outcome="timeout"} 1');
    expect(text).toMatch(/^trilho_due_jobs_oldest_seconds\{lane="\w+"\} 0$/m);
    expect((await fetch(`http://127.0.0.1:${PORT}/livez`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${PORT}/v1/charges`)).status).toBe(404);
  } finally {
    await served.stop();
  }
});
