import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { startEmbedded } from "@/db/embedded";
import { readSecrets, SECRETS } from "@/lib/env";
import { embeddedFolder, fileArgument, sayFailure, summary } from "@/scripts/backup/command";
import { passphraseFor } from "@/scripts/backup/passphrase";
import { writeBackup } from "@/scripts/backup/write";
import { say } from "@/scripts/start/progress";
import { clusterIn, EMBEDDED_DATABASE } from "@/scripts/start/with-database";

/** npm run backup -- FILE: the embedded database, its roles, secrets and files, while serving or stopped. */
async function main(): Promise<void> {
  const file = fileArgument("backup");
  const dataDir = embeddedFolder();
  const cluster = clusterIn(dataDir);
  if (!existsSync(cluster)) throw new Error(`${cluster} does not exist: there is nothing to back up.`);
  const secrets = secretsOf(dataDir);
  const passphrase = await passphraseFor("backup");
  const server = await startEmbedded({ cluster, database: EMBEDDED_DATABASE });
  try {
    const source = { ownerUrl: server.url, secrets, files: resolve(join(dataDir, "files")) };
    const manifest = await writeBackup(source, file, passphrase);
    say(`${file}: ${summary(manifest)}`);
    say("It opens with its passphrase only: keep the two apart, and try npm run restore with them now and then.");
  } finally {
    if (server.started) await server.stop();
  }
}

/** Those the data was written with: given from outside, or made in the data folder. */
function secretsOf(dataDir: string): Record<string, string> {
  const saved = readSecrets(dataDir);
  return Object.fromEntries(
    SECRETS.map((name) => {
      const value = process.env[name]?.trim() || saved[name];
      if (!value)
        throw new Error(`${name} is missing: without it a backup could never be opened again. Restore it first.`);
      return [name, value];
    }),
  );
}

main().catch(sayFailure);
