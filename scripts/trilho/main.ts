import { parseArgs } from "node:util";
import { createApi } from "@/scripts/trilho/api";
import { credentials } from "@/scripts/trilho/credentials";
import { listEvents, resendEvent } from "@/scripts/trilho/events";
import { listen } from "@/scripts/trilho/listen";
import { tailLogs } from "@/scripts/trilho/logs";
import { CommandError, complain, say } from "@/scripts/trilho/print";
import { TRIGGERS, trigger } from "@/scripts/trilho/trigger";

const USAGE = `trilho listen [--forward-to URL] [--events NAME,…] [--name NAME] [--write-key FILE] [--json]
    Shows the events of the account as they happen, and sends them on with their signatures. What happened
    since it last ran comes first; what a resend or a replay brings comes too. --write-key keeps the key that verifies them in a file.
trilho trigger EVENT
    Makes the real thing happen on the sandbox account: ${Object.keys(TRIGGERS).slice(0, 3).join(", ")} …
    trilho trigger --list shows them all.
trilho events list [--events NAME] [--limit N]
trilho events resend EVENT_ID [--endpoint URL_OR_ID]
    Sends an event again to the webhooks that had it, or to one of them.
trilho logs tail [--once] [--json]
    Shows the calls of the account to this API as they come.

Everywhere: --api-key KEY --client-id ID --base-url URL, or TRILHO_API_KEY, TRILHO_CLIENT_ID and
TRILHO_BASE_URL; else the first account of this installation (.data/demo.json).`;

const OPTIONS = {
  "api-key": { type: "string" },
  "client-id": { type: "string" },
  "base-url": { type: "string" },
  "forward-to": { type: "string" },
  events: { type: "string" },
  name: { type: "string" },
  "write-key": { type: "string" },
  endpoint: { type: "string" },
  limit: { type: "string", default: "20" },
  json: { type: "boolean", default: false },
  list: { type: "boolean", default: false },
  once: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

const MOST_LISTED = 100;

/** Answers the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await run(argv);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    complain(error.message);
    return 1;
  }
}

async function run(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(argv);
  const command = positionals.join(" ");
  if (values.help || positionals.length === 0) {
    say(USAGE);
    return 0;
  }
  if (positionals[0] === "trigger" && values.list) {
    for (const [name, { what }] of Object.entries(TRIGGERS)) say(`${name.padEnd(32)} ${what}`);
    return 0;
  }
  const who = credentials({ apiKey: values["api-key"], clientId: values["client-id"], baseUrl: values["base-url"] });
  const api = createApi(who);
  const [first = "", second = "", third = ""] = positionals;
  if (command === "listen") {
    await listen(api, who, {
      events: values.events?.split(",").map((name) => name.trim()) ?? ["*"],
      forwardTo: values["forward-to"],
      name: values.name,
      keyFile: values["write-key"],
      isJson: values.json,
    });
  } else if (first === "trigger" && positionals.length === 2) await trigger(api, who, second);
  else if (command === "events list") await listEvents(api, { event: values.events, limit: limitOf(values.limit) });
  else if (first === "events" && second === "resend" && positionals.length === 3)
    await resendEvent(api, third, values.endpoint);
  else if (command === "logs tail") await tailLogs(api, { isOnce: values.once, isJson: values.json });
  else throw new CommandError(`"${command}" is no command.\n\n${USAGE}`);
  return 0;
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function limitOf(given: string): number {
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LISTED) {
    throw new CommandError(`--limit is a whole number from 1 to ${MOST_LISTED}`);
  }
  return limit;
}
