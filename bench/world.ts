import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Embedded, startEmbedded, stopEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";
import { inRoot } from "@/scripts/start/paths";
import { provideSecrets, recordProvided, settleProvided } from "@/scripts/start/secrets";
import { SYNC_HOOKS } from "@/scripts/sync-hooks";

const DATABASE = "bench";
/** Rows of a million charges, and room for what is written beside them, without a checkpoint in each round. */
const SETTINGS = { max_wal_size: "4GB" };

/** Several at a time have names of their own. */
export const FOLDER = inRoot(".data", process.env.BENCH_WORLD ?? "bench");
const CLUSTER = join(FOLDER, "postgres");

/** A fresh database server of its own, as durable as the one of `npm start`, and the settings of a quiet product. */
export async function openWorld(settings: Readonly<Record<string, string>> = {}): Promise<Embedded> {
  await stopEmbedded(CLUSTER);
  rmSync(FOLDER, { recursive: true, force: true });
  const server = await startEmbedded({ cluster: CLUSTER, database: DATABASE, settings: { ...SETTINGS, ...settings } });
  process.env.TRILHO_DATA_DIR = FOLDER;
  Object.assign(process.env, {
    DATABASE_URL: server.runtimeUrl,
    NODE_ENV: "production",
    RATE_LIMITS: "off",
    // Purchases are accepted here, and not worked on.
    PURCHASE_QUEUE_LIMIT: "off",
    LOG_LEVEL: "warn",
    SANDBOX_TRANSPORT: "in-process",
  });
  const secrets = provideSecrets(FOLDER);
  await settleProvided(server.url, secrets);
  await migrate(server.url, SYNC_HOOKS, { runtimeUrl: server.runtimeUrl });
  await recordProvided(server.url, secrets);
  return server;
}

export async function closeWorld(server: Embedded): Promise<void> {
  await server.stop();
  rmSync(FOLDER, { recursive: true, force: true });
}
