import { existsSync } from "node:fs";
import { embeddedFolder, fileArgument, sayFailure, summary } from "@/scripts/backup/command";
import { passphraseFor } from "@/scripts/backup/passphrase";
import { restoreBackup } from "@/scripts/backup/restore";
import { say } from "@/scripts/start/progress";

/** npm run restore -- FILE: into an empty TRILHO_DATA_DIR; checks all of the file before it makes anything. */
async function main(): Promise<void> {
  const file = fileArgument("restore");
  const dataDir = embeddedFolder();
  if (!existsSync(file)) throw new Error(`${file} does not exist.`);
  const manifest = await restoreBackup(file, dataDir, await passphraseFor("restore"));
  say(`${dataDir}: ${summary(manifest)}`);
  say("npm start serves it. What providers did since the backup is asked of them; look at the reviews afterwards.");
}

main().catch(sayFailure);
