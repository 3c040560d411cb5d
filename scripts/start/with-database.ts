import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { startEmbedded } from "@/db/embedded";
import { migrate } from "@/db/migrate";
import { type Addresses, addressesOf, givenAddresses } from "@/scripts/start/addresses";
import { adoptAddresses } from "@/scripts/start/instance";
import { ROOT } from "@/scripts/start/paths";
import { provideSecrets, recordProvided, settleProvided } from "@/scripts/start/secrets";
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
export const withDatabase = <T>(work: () => Promise<T>): Promise<T> =>
  withServer(async ({ url, ownerUrl, dataDir }) => {
    const secrets = provideSecrets(dataDir);
    await settleProvided(ownerUrl, secrets);
    await migrate(ownerUrl, SYNC_HOOKS, { runtimeUrl: url });
    await recordProvided(ownerUrl, secrets);
    return work();
  });

export interface Reached extends Addresses {
  dataDir: string;
  /** No other machine has it. */
  isEmbedded: boolean;
}

/** The database as it stands, whatever the secrets are. */
export async function withServer<T>(work: (reached: Reached) => Promise<T>): Promise<T> {
  const dataDir = enterRoot();
  adoptAddresses(dataDir);
  const { DATABASE_URL, DATABASE_OWNER_URL } = process.env;
  const given = givenAddresses({ DATABASE_URL, DATABASE_OWNER_URL });
  const server = given ? undefined : await startEmbedded({ cluster: clusterIn(dataDir), database: EMBEDDED_DATABASE });
  const addresses = given ?? (server && addressesOf(server));
  if (addresses === undefined) throw new Error("no database was given and none was started");
  try {
    const { url, ownerUrl } = addresses;
    process.env.DATABASE_URL = url;
    return await work({ url, ownerUrl, dataDir, isEmbedded: given === undefined });
  } finally {
    const { closePools } = await import("@/db/client");
    await closePools();
    if (server?.started) await server.stop();
  }
}
