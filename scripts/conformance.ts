import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { checkCredentials } from "@/lib/providers/kinds";
import { providerFor } from "@/lib/providers/registry";
import { secretOf } from "@/lib/providers/secret";
import { PROVABLE, type ProvableKind } from "@/lib/testing/providers/kinds";
import { runLive } from "@/lib/testing/providers/live";
import { realNow } from "@/lib/time";

/**
 * `npm run conformance -- --provider STRIPE [--live]`: the kit against the provider's document, or the safe part of it
 * against the provider's own test host, with the credentials of CONFORMANCE_CREDENTIALS (JSON).
 */
const root = join(import.meta.dirname, "..");
const dates = z.object({ offlineContract: z.string().nullable(), liveSandbox: z.string().nullable() });

const {
  values: { provider: name = "", live = false },
} = parseArgs({ options: { provider: { type: "string" }, live: { type: "boolean" } } });
const kind = Object.entries(PROVABLE).find(([names]) => name !== "" && names.split(", ").includes(name))?.[1];
process.exitCode = kind ? await (live ? proveLive(name, kind) : proveOffline(name, kind)) : unknown();

function unknown(): number {
  console.error(`--provider must be one of ${Object.keys(PROVABLE).join(", ")}`);
  return 2;
}

function datesOf({ verified }: ProvableKind): z.output<typeof dates> {
  return dates.parse(JSON.parse(readFileSync(join(root, verified), "utf8")));
}

async function proveOffline(kindName: string, of: ProvableKind): Promise<number> {
  const vitest = ["--no-install", "vitest", "run", "--config", "lib/testing/vitest.config.ts", "--reporter", "verbose"];
  const { status } = spawnSync("npx", [...vitest, of.folder], { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    console.error(`${kindName}: not verified, the kit fails`);
    return 1;
  }
  label(kindName, of);
  return 0;
}

async function proveLive(kindName: string, of: ProvableKind): Promise<number> {
  // The credentials of one run, never of an installation.
  const { CONFORMANCE_CREDENTIALS: given, PROVIDER_TEST_HOSTS: standIns } = process.env;
  if (standIns) return refuse("PROVIDER_TEST_HOSTS names stand-ins: a live run needs the provider's own test host");
  if (!given) return refuse("CONFORMANCE_CREDENTIALS must hold the credentials as JSON");
  const read = z.record(z.string(), z.unknown()).safeParse(jsonOf(given));
  const checked = checkCredentials(kindName, { ...read.data, environment: "test" });
  if (!checked.ok) return refuse(checked.errors.map(({ field, message }) => `${field}: ${message}`).join("\n"));
  const steps = await runLive(
    providerFor(kindName),
    secretOf({ ...checked.value.fields, environment: "test" }),
    of.live,
  );
  for (const { title, ok, words } of steps) console.log(`${ok ? "ok    " : "FAILED"} ${title} (${words})`);
  if (steps.some(({ ok }) => !ok)) return 1;
  const next = { ...datesOf(of), liveSandbox: saoPauloDay(realNow()) };
  writeFileSync(join(root, of.verified), `${JSON.stringify(next, null, 2)}\n`);
  label(kindName, of);
  return 0;
}

function label(kindName: string, of: ProvableKind): void {
  const { offlineContract, liveSandbox } = datesOf(of);
  console.log(
    `${kindName}: verified: ${liveSandbox ? `live-sandbox (${liveSandbox})` : `contract-offline (${offlineContract})`}`,
  );
}

function refuse(why: string): number {
  console.error(why);
  return 2;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
