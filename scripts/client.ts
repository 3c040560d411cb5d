import { parseArgs } from "node:util";
import { isUuid } from "@/lib/ids";
import { withDatabase } from "@/scripts/start/with-database";

const USAGE = `npm run client -- create --name NAME [--live]
npm run client -- list
npm run client -- rotate-key CLIENT_ID
npm run client -- disable CLIENT_ID
npm run client -- enable CLIENT_ID`;

type Accounts = typeof import("@/lib/accounts/service");
interface Arguments {
  id: string;
  name: string;
  live: boolean;
}

interface Command {
  needs?: "name" | "id";
  run(accounts: Accounts, given: Arguments): Promise<unknown>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  create: {
    needs: "name",
    run: async ({ createAccount }, { name, live }) => {
      const { clientId, apiKey, mode } = await createAccount({ name, mode: live ? "live" : "sandbox" });
      return { clientId, apiKey, name, mode };
    },
  },
  list: { run: async ({ listAccounts }) => ({ clients: await listAccounts() }) },
  "rotate-key": {
    needs: "id",
    run: async ({ rotateSecretKey }, { id }) => ({ clientId: id, apiKey: (await rotateSecretKey(id)).apiKey }),
  },
  disable: {
    needs: "id",
    run: async ({ disableAccount }, { id }) => {
      await disableAccount(id);
      return { clientId: id, status: "disabled" };
    },
  },
  enable: {
    needs: "id",
    run: async ({ enableAccount }, { id }) => {
      await enableAccount(id);
      return { clientId: id, status: "active" };
    },
  },
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { name: { type: "string" }, live: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [name = "", id = ""] = positionals;
  const command = COMMANDS[name];
  const given = { id, name: values.name ?? "", live: values.live };
  if (!command || (command.needs && given[command.needs] === "")) throw new Error(USAGE);
  if (command.needs === "id" && !isUuid(id)) throw new Error("CLIENT_ID is an id as npm run client -- list shows it");
  const result = await withDatabase(async () => command.run(await import("@/lib/accounts/service"), given));
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
