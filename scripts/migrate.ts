import { migrate } from "@/db/migrate";
import { variables } from "@/lib/env";
import { checkDatabase, report } from "@/scripts/checks/checks";
import { checkLogin } from "@/scripts/checks/login";
import { givenAddresses } from "@/scripts/start/addresses";
import { say } from "@/scripts/start/progress";
import { enterRoot } from "@/scripts/start/with-database";
import { SYNC_HOOKS } from "@/scripts/sync-hooks";

/**
 * npm run migrate: brings the database of DATABASE_URL to this release and ends, before its processes are started. It
 * needs the two addresses and no secret. Safe to run again, and by several at once.
 */
async function main(): Promise<void> {
  enterRoot();
  const { url, ownerUrl } = addresses();
  report(await checkDatabase(ownerUrl));
  await migrate(ownerUrl, SYNC_HOOKS, { runtimeUrl: url });
  report(await checkLogin(url, ownerUrl));
  say("The database has the schema of this release.");
}

function addresses() {
  const read = (name: "DATABASE_URL" | "DATABASE_OWNER_URL"): string | undefined => {
    const parsed = variables[name].safeParse(process.env[name]?.trim() || undefined);
    // The value has a password in it, so only the name is said.
    if (!parsed.success) throw new Error(`${name} ${parsed.error.issues[0]?.message}`);
    return parsed.data;
  };
  const given = givenAddresses({
    DATABASE_URL: read("DATABASE_URL"),
    DATABASE_OWNER_URL: read("DATABASE_OWNER_URL"),
  });
  if (given === undefined)
    throw new Error("DATABASE_URL is not set: the embedded database is migrated by each start, any other one by this.");
  return given;
}

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
