import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { expect, test } from "vitest";
import { gatheringSocket, STARTUP_PADDING } from "@/db/driver/gathering-socket";
import { testDatabaseUrl } from "@/lib/testing/database";

test("a connection that breaks just as a statement is handed to it serves again at once", async () => {
  const { href, hostname, port } = new URL(await testDatabaseUrl());
  const sockets: Socket[] = [];
  // Guarantee: the driver takes a function that makes its socket; its types do not say so.
  const options = {
    max: 1,
    backoff: () => 0,
    connect_timeout: 20,
    onnotice: () => undefined,
    connection: { application_name: "a test", options: STARTUP_PADDING },
    socket: () => {
      const socket = gatheringSocket(Number(port), hostname);
      sockets.push(socket);
      return socket;
    },
  } as postgres.Options<Record<string, never>>;
  const sql = postgres(href, options);
  try {
    await sql`select 1`;
    // Between the turn in which a statement is handed over and the one in which it would be sent.
    const lost = await new Promise<unknown>((resolve) =>
      setImmediate(() => {
        sockets[0]?.destroy();
        sql`select 2`.then(resolve, resolve);
      }),
    );
    expect(lost).toMatchObject({ code: "CONNECTION_CLOSED" });
    const served = await Promise.race([sql`select 3 as three`, sleep(5_000).then(() => "hangs")]);
    expect(served).toEqual([{ three: 3 }]);
  } finally {
    await sql.end({ timeout: 1 });
  }
});
