import { hostname } from "node:os";
import { systemSql } from "@/db/client";
import { driverOf, engine } from "@/inngest/client";
import { EngineFault } from "@/lib/engine/inngest/faults";
import { beat, leave, noteRegistration, openEngineLink, type Serving } from "@/lib/engine/inngest/link";
import { createPoller } from "@/lib/engine/poller";
import type { Env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";

const BEAT_EVERY_MS = 2_000;
const EVERYWHERE: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
/** Of Inngest's cloud. */
const CLOUD = "https://api.inngest.com";

export interface ServedWorkflows {
  stop(): Promise<void>;
}

/** Where Inngest reaches a process: what is configured, else its own address, or of web processes the installation's. */
export function servedAddress(
  role: Serving["role"],
  { INNGEST_SERVE_ORIGIN, BASE_URL, HOST, PORT }: Pick<Env, "INNGEST_SERVE_ORIGIN" | "BASE_URL" | "HOST" | "PORT">,
): string {
  if (INNGEST_SERVE_ORIGIN !== undefined) return INNGEST_SERVE_ORIGIN;
  if (role === "web") return BASE_URL;
  const host = EVERYWHERE.has(HOST) ? hostname() : HOST;
  return `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
}

export const serverOf = ({ INNGEST_BASE_URL }: Pick<Env, "INNGEST_BASE_URL">): string => INNGEST_BASE_URL ?? CLOUD;

/** From the moment this process takes calls until it stops: it, or one like it, is registered. Nothing for the embedded engine. */
export async function startServing(role: Serving["role"], settings: Env): Promise<ServedWorkflows> {
  const inngest = driverOf(settings).kind === "inngest" ? engine().inngest : undefined;
  if (!inngest) return { stop: async () => undefined };
  const sql = systemSql();
  const serving = { id: newId(), role, address: servedAddress(role, settings) };
  const beats = createPoller({
    retryMs: BEAT_EVERY_MS,
    onError: (error) =>
      log.error({ error, job: "engine registration" }, "The engine could not be told of this process"),
    async round() {
      await openEngineLink(sql, serverOf(settings));
      if (await beat(sql, serving)) await register(inngest.register);
      return BEAT_EVERY_MS;
    },
  });
  const register = async (tell: (origin: string) => Promise<void>) => {
    try {
      await tell(serving.address);
      await noteRegistration(sql, serving.address, null);
    } catch (thrown) {
      if (!(thrown instanceof EngineFault)) throw thrown;
      await noteRegistration(sql, serving.address, thrown.fault);
    }
  };
  beats.poke();
  return {
    async stop() {
      await beats.stop();
      await leave(sql, serving.id);
    },
  };
}
