import { log } from "@/lib/log";
import { type Exchange, exchangeOf, type SendLimits, type Transport } from "@/lib/providers/exchange";
import { createHttpTransport } from "@/lib/providers/http-client";
import { handle } from "@/lib/providers/sandbox/handler";
import { startSandboxServer } from "@/lib/providers/sandbox/server";
import { MAX_HOLD_MS, type SimulatorReply } from "@/lib/providers/sandbox/wire";
import { realNow } from "@/lib/time";
import { pause } from "@/lib/wait";

export interface SandboxTransport extends Transport {
  /** Knocks where nobody listens, for outcome 213. */
  sendToClosedPort(limits: SendLimits): Promise<Exchange>;
}

/** The simulator's own handler without a socket: a time-out is the signal firing, a lost answer waits for it. */
export function inProcessTransport(): SandboxTransport {
  return {
    async send(request, limits) {
      if (limits.deadline <= realNow() || limits.signal.aborted) return { kind: "not_sent", cause: "deadline" };
      const { method, path, headers, body } = request;
      return receive(await handle({ method, path, headers, body }), limits);
    },
    sendToClosedPort: () => Promise.resolve({ kind: "not_sent", cause: "connect_refused" }),
    close: () => Promise.resolve(),
  };
}

async function receive(reply: SimulatorReply, limits: SendLimits): Promise<Exchange> {
  if (reply.delayMs > 0 && !(await waited(reply.delayMs, limits))) return { kind: "undetermined", cause: "timeout" };
  if (reply.delivery === "closed") return { kind: "undetermined", cause: "connection_lost_after_send" };
  if (reply.delivery === "held") {
    const lost = await waited(MAX_HOLD_MS, limits);
    return { kind: "undetermined", cause: lost ? "connection_lost_after_send" : "timeout" };
  }
  return exchangeOf(reply.status, reply.headers, reply.body);
}

/** False when the caller's patience ended first. */
async function waited(ms: number, { deadline, signal }: SendLimits): Promise<boolean> {
  const leftMs = deadline.getTime() - realNow().getTime();
  try {
    await pause(Math.max(0, Math.min(ms, leftMs)), signal);
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
  return ms < leftMs;
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"] as const;

/** A port where nobody listens (tcpmux, unused): what the adapter reports is what a socket really said. */
const CLOSED_PORT_URL = "http://127.0.0.1:1";

/** The same handler behind a socket; the address is the installation's, not a credential's. */
export function httpTransport(baseUrl: string, allowedHosts: readonly string[] = LOOPBACK): SandboxTransport {
  const simulator = createHttpTransport({ baseUrl, allowedHosts, allowPlainHttp: true });
  const nobody = createHttpTransport({ baseUrl: CLOSED_PORT_URL, allowedHosts: LOOPBACK, allowPlainHttp: true });
  return {
    send: simulator.send,
    sendToClosedPort: async (limits) => {
      const met = await nobody.send({ method: "GET", path: "/", headers: {} }, limits);
      // Several in a row would open the circuit; to the caller it is the same closed port.
      return met.kind === "not_sent" ? { kind: "not_sent", cause: "connect_refused" } : met;
    },
    close: async () => {
      await Promise.all([simulator.close(), nobody.close()]);
    },
  };
}

/** A simulator of this process's own on a free loopback port, started by the first call; its state is in the database. */
export function ownServerTransport(): SandboxTransport {
  let started: Promise<SandboxTransport> | undefined;
  const transport = (): Promise<SandboxTransport> => {
    started ??= startSandboxServer({
      port: 0,
      isBackground: true,
      onError: (error) => log.error({ error }, "the simulator failed"),
    }).then(({ url, close }) => {
      const http = httpTransport(url);
      return { ...http, close: async () => void (await Promise.all([http.close(), close()])) };
    });
    return started;
  };
  return {
    send: async (request, limits) => (await transport()).send(request, limits),
    sendToClosedPort: async (limits) => (await transport()).sendToClosedPort(limits),
    close: async () => (await started)?.close(),
  };
}
