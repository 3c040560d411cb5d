import { parseArgs } from "node:util";
import { isUuid } from "@/lib/ids";
import { withDatabase } from "@/scripts/start/with-database";

const USAGE = `npm run client -- create --name NAME [--live] [--owner E-MAIL]
npm run client -- invite CLIENT_ID --owner E-MAIL
npm run client -- list
npm run client -- rotate-key CLIENT_ID
npm run client -- disable CLIENT_ID
npm run client -- enable CLIENT_ID
npm run client -- set CLIENT_ID [--prepayment on|off] [--language pt-BR|en]
npm run client -- anywhere CLIENT_ID`;

type Accounts = typeof import("@/lib/accounts/service");
interface Arguments {
  id: string;
  name: string;
  live: boolean;
  owner: string;
  prepayment: string;
  language: string;
}

interface Command {
  needs?: "name" | "id";
  run(accounts: Accounts, given: Arguments): Promise<unknown>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  create: {
    needs: "name",
    run: async ({ createAccount }, { name, live, owner }) => {
      const { clientId, apiKey, mode } = await createAccount({ name, mode: live ? "live" : "sandbox" });
      return { clientId, apiKey, name, mode, ...(owner ? { invitation: await inviteOwner(clientId, owner) } : {}) };
    },
  },
  invite: {
    needs: "id",
    run: async (_accounts, { id, owner }) => {
      if (owner === "") throw new Error(USAGE);
      return { clientId: id, invitation: await inviteOwner(id, owner) };
    },
  },
  list: { run: async ({ listAccounts }) => ({ clients: await listAccounts() }) },
  "rotate-key": {
    needs: "id",
    run: async ({ rotateAccountKeys }, { id }) => ({ clientId: id, apiKey: (await rotateAccountKeys(id)).apiKey }),
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
  set: {
    needs: "id",
    run: async ({ setAccount }, { id, prepayment, language }) => {
      if (!["", "on", "off"].includes(prepayment) || !["", "pt-BR", "en"].includes(language)) throw new Error(USAGE);
      if (prepayment === "" && language === "") throw new Error(USAGE);
      const changed = await setAccount(id, {
        ...(prepayment === "" ? {} : { isPrepaymentOn: prepayment === "on" }),
        ...(language === "" ? {} : { locale: language === "en" ? "en" : "pt-BR" }),
      });
      return { clientId: id, ...changed };
    },
  },
  // For owners whose network changed under a list of addresses.
  anywhere: {
    needs: "id",
    run: async ({ loadAccount }, { id }) => {
      const [{ allowAddresses }, { systemContext }, { newId }] = await Promise.all([
        import("@/lib/accounts/settings"),
        import("@/lib/context"),
        import("@/lib/ids"),
      ]);
      await allowAddresses(systemContext(await loadAccount(id), newId()), []);
      return { clientId: id, addresses: [] };
    },
  },
};

/** The first person of an account, or an owner where there is none left: by e-mail, and with the link in the answer. */
async function inviteOwner(clientId: string, email: string): Promise<string> {
  const [{ loadAccount }, { systemContext }, { newId }, { invite }, { DEFAULT_LOCALE }] = await Promise.all([
    import("@/lib/accounts/service"),
    import("@/lib/context"),
    import("@/lib/ids"),
    import("@/lib/sign-in/invitations"),
    import("@/lib/i18n/locales"),
  ]);
  const context = systemContext(await loadAccount(clientId), newId());
  const invited = await invite(context, { email, role: "owner", locale: DEFAULT_LOCALE });
  if (invited.kind !== "sent") throw new Error(`Not invited: ${invited.kind.replaceAll("_", " ")}`);
  return invited.url;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      name: { type: "string" },
      live: { type: "boolean", default: false },
      owner: { type: "string" },
      prepayment: { type: "string" },
      language: { type: "string" },
    },
    allowPositionals: true,
  });
  const [name = "", id = ""] = positionals;
  const command = COMMANDS[name];
  const { name: called = "", live, owner = "", prepayment = "", language = "" } = values;
  const given = { id, name: called, live, owner, prepayment, language };
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
