import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { answeredHealth, type Life } from "@/scripts/server/health";

async function asked(life: Life, path: string): Promise<{ status: number; body: { status: string } }> {
  const server = createServer((request, response) => {
    if (!answeredHealth(request, response, life)) response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    // Guarantee: a server that listens on a port has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: reply.status, body: (await reply.json()) as { status: string } };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test.each([
  // It has not looked at the database's secrets and schema yet, and refuses what comes.
  ["starting", 503, "starting"],
  ["serving", 200, "ready"],
  ["stopping", 503, "stopping"],
] as const)("a process that is %s answers /readyz with %i, and lives", async (life, status, said) => {
  expect(await asked(life, "/readyz")).toMatchObject({ status, body: { status: said } });
  for (const path of ["/livez", "/healthz"]) expect((await asked(life, path)).status).toBe(200);
  expect((await asked(life, "/v1/charges")).status).toBe(404);
});
