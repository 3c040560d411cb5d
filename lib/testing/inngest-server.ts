import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInngestDriver, type InngestDriver } from "@/lib/engine/inngest/driver";
import type { Workflow } from "@/lib/engine/workflow";
import { freePort } from "@/lib/testing/ports";
import { pause } from "@/lib/wait";
import { serveFetch } from "@/scripts/server/adapter";

export const EVENT_KEY = "tests-event-key";
export const SERVER_SIGNING_KEY = "0123456789abcdef".repeat(4);
const START_MS = 60_000;
const LOOK_MS = 100;

export interface InngestServer {
  readonly url: string;
  start(): Promise<void>;
  /** SIGKILL; what it keeps in its folder stays. */
  kill(): Promise<void>;
  /** All that it knew is gone. */
  empty(): void;
}

/** A real Inngest server, as its own documentation starts it; its state is in a folder of its own. */
export async function openInngestServer(binary: string): Promise<InngestServer> {
  const folder = mkdtempSync(join(tmpdir(), "inngest-"));
  const [port, gateway, gatewayGrpc, executorGrpc] = await Promise.all(Array.from({ length: 4 }, freePort));
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let said = "";
  return {
    url,
    async start() {
      mkdirSync(folder, { recursive: true });
      const started = spawn(
        binary,
        [
          ...["start", "--host", "127.0.0.1", "--port", String(port), "--no-ui", "--log-level", "error"],
          ...["--event-key", EVENT_KEY, "--signing-key", SERVER_SIGNING_KEY, "--sqlite-dir", folder],
          ...["--connect-gateway-port", String(gateway), "--connect-gateway-grpc-port", String(gatewayGrpc)],
          ...["--connect-executor-grpc-port", String(executorGrpc)],
        ],
        { cwd: folder, stdio: ["ignore", "pipe", "pipe"] },
      );
      child = started;
      for (const out of [started.stdout, started.stderr])
        out.on("data", (bytes: Buffer) => {
          said = (said + bytes.toString()).slice(-2_000);
        });
      const deadline = performance.now() + START_MS;
      while (!(await isUp(url))) {
        if (started.exitCode !== null || performance.now() > deadline) throw new Error(`no Inngest server: ${said}`);
        await pause(LOOK_MS);
      }
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child?.once("exit", resolve));
      child.kill("SIGKILL");
      await gone;
    },
    empty: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/health`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

export interface ServedApp {
  readonly driver: InngestDriver;
  readonly origin: string;
  stop(): Promise<void>;
}

/** The workflows behind an address that the server can call. */
export async function serveWorkflows(
  workflows: readonly Workflow[],
  server: Pick<InngestServer, "url">,
  keys: { eventKey?: string; signingKey?: string; signingKeyFallback?: string } = {},
): Promise<ServedApp> {
  const driver = createInngestDriver({
    workflows,
    eventKey: keys.eventKey ?? EVENT_KEY,
    signingKey: keys.signingKey ?? SERVER_SIGNING_KEY,
    signingKeyFallback: keys.signingKeyFallback,
    baseUrl: server.url,
    logger: { info: quiet, warn: quiet, error: quiet, debug: quiet },
  });
  const app = createServer((request, response) => {
    serveFetch((given) => driver.handle(given), request, response, "http://127.0.0.1").catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  // Guarantee: a server that listens on a port has an AddressInfo.
  const { port } = app.address() as AddressInfo;
  return {
    driver,
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      app.closeAllConnections();
      await new Promise((closed) => app.close(closed));
    },
  };
}

const quiet = () => undefined;
