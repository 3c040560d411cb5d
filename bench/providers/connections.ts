import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { aCall, PAYER } from "@/bench/providers/calls";
import { table } from "@/bench/table";
import { connectionsOf } from "@/lib/providers/connections";
import { pixBacenProvider } from "@/lib/providers/pix-bacen";
import { profileOf } from "@/lib/providers/pix-bacen/banks";
import { secretOf } from "@/lib/providers/secret";
import { monotonicMs } from "@/lib/time";
import { inRoot } from "@/scripts/start/paths";

const MERCHANTS = 200;
const ROUNDS = 60;
const WARM_UP = 10;
/** On a busy machine fewer rounds are enough, and never fewer than are compared. */
const LEAST_ROUNDS = 3 * WARM_UP;
const LONGEST_MS = 90_000;
const MEGABYTE = 1024 ** 2;
const SOCKETS = /^(?:TCPSocketWrap|TLSWrap|TLSSocketWrap)$/;
const MOST_GROWTH = 0.05;

interface Bank {
  url: string;
  ca: string;
  client: { cert: string; key: string };
}

/** Two hundred merchants ask their bank at once, each over a connection of its own that both sides prove. */
export async function measureConnections(): Promise<string> {
  const child = spawn(process.execPath, ["--import", "tsx", inRoot("bench/providers/bank-process.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const bank = await firstLine(child.stdout);
    process.env.PROVIDER_TEST_HOSTS = JSON.stringify({ BB: { api: bank.url, token: bank.url } });
    process.env.PROVIDER_TEST_CA = bank.ca;
    const provider = pixBacenProvider(
      "BB",
      connectionsOf("BB", (credentials) => profileOf("BB").certificate(credentials.reveal())),
    );
    const secrets = Array.from({ length: MERCHANTS }, (_, merchant) =>
      secretOf({
        authBasic: `basic-of-${merchant}`,
        devAppKey: "app-key",
        pixKey: "6f9c2c1e-3b1a-4a6e-9a5d-0c1d2e3f4a5b",
        version: "2",
        mtlsPemBase64: Buffer.from(bank.client.cert + bank.client.key).toString("base64"),
      }),
    );
    const input = { amount: 50_00, expiresInSec: 3_600, payer: PAYER, receiver: { name: "Loja", city: "Sao Paulo" } };
    const heap: number[] = [];
    const resident: number[] = [];
    let failed = 0;
    let open = 0;
    const startedMs = monotonicMs();
    const isOver = (rounds: number) => rounds >= LEAST_ROUNDS && monotonicMs() - startedMs > LONGEST_MS;
    for (let round = 0; round < ROUNDS && !isOver(round); round++) {
      const asked = secrets.map(async (secret) => provider.createPix(aCall(provider, secret, "pix"), input));
      // While most are still asking: a connection at rest is not among what keeps the process awake.
      await Promise.race(asked);
      open = Math.max(open, process.getActiveResourcesInfo().filter((one) => SOCKETS.test(one)).length);
      const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
      // Two hundred handshakes at once may take a busy machine longer than a connection may.
      if (round >= WARM_UP) failed += kinds.filter((kind) => kind !== "pending").length;
      globalThis.gc?.();
      const { heapUsed, rss } = process.memoryUsage();
      heap.push(heapUsed / MEGABYTE);
      resident.push(rss / MEGABYTE);
    }
    const [from, to] = [meanOf(heap.slice(WARM_UP, 2 * WARM_UP)), meanOf(heap.slice(-WARM_UP))];
    const growth = to / from - 1;
    const isFlat = growth <= MOST_GROWTH && failed === 0 && open >= MERCHANTS;
    return table(
      ["connections open", "calls", "failed", "heap MB, round 11–20", "last ten", "growth", "RSS MB", "target"],
      [
        [
          String(open),
          String(MERCHANTS * heap.length),
          String(failed),
          from.toFixed(1),
          to.toFixed(1),
          `${(growth * 100).toFixed(1)} %`,
          `${(resident[WARM_UP] ?? 0).toFixed(0)} → ${(resident.at(-1) ?? 0).toFixed(0)}`,
          `flat (≤ ${MOST_GROWTH * 100} %) ${isFlat ? "reached" : "missed"}`,
        ],
      ],
    );
  } finally {
    child.kill();
  }
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

async function firstLine(output: NodeJS.ReadableStream): Promise<Bank> {
  for await (const line of createInterface({ input: output })) return JSON.parse(line) as Bank; // Its one line.
  throw new Error("the bank did not start");
}
