import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { startEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";
import { adoptAddresses } from "@/scripts/start/instance";
import { ROOT } from "@/scripts/start/paths";
import { ensureSecrets } from "@/scripts/start/secrets";
import { SYNC_HOOKS } from "@/scripts/sync-hooks";

export const EMBEDDED_DATABASE = "trilho";
export const clusterIn = (dataDir: string): string => join(dataDir, "postgres");

/** Loads .env and answers the data folder: the same for every command. */
export function enterRoot(): string {
  process.chdir(ROOT);
  if (existsSync(".env")) process.loadEnvFile(".env");
  return resolve(process.env.TRILHO_DATA_DIR?.trim() || ".data");
}

/** For commands beside a running server, or without one: joins the database or starts it for the moment. */
export async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
  const dataDir = enterRoot();
  adoptAddresses(dataDir);
  const given = process.env.DATABASE_URL?.trim();
  const server = given ? undefined : await startEmbedded({ cluster: clusterIn(dataDir), database: EMBEDDED_DATABASE });
  try {
    ensureSecrets(dataDir, process.env);
    const url = given || server?.url || "";
    process.env.DATABASE_URL = url;
    await migrate(url, SYNC_HOOKS);
    return await work();
  } finally {
    const { closePools } = await import("@/db/client");
    await closePools();
    if (server?.started) await server.stop();
  }
}
