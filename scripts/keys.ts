import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import type postgres from "postgres";
import {
  type GeneratedSecret,
  isGivenFromOutside,
  parseEnv,
  readSecrets,
  SECRETS,
  secretsFile,
  withSecrets,
} from "@/lib/env";
import { KEYS_REREAD_MS, kekOf } from "@/lib/kek";
import {
  acceptSecret,
  checkSecrets,
  forgetKey,
  keyChecksOf,
  keyIdOf,
  recordSecrets,
  type SecretsReport,
} from "@/lib/keys/checks";
import { listed, type Use, usesOfKeys } from "@/lib/keys/columns";
import { lossesOf } from "@/lib/keys/losses";
import { rewrapAll } from "@/lib/keys/rewrap";
import { makeFingerprintKeyAnew } from "@/lib/vault/fingerprint";
import { pause } from "@/lib/wait";
import { say } from "@/scripts/start/progress";
import { newSecret, saveSecrets, withConnection } from "@/scripts/start/secrets";
import { withServer } from "@/scripts/start/with-database";

const USAGE = `npm run keys                           the keys of TRILHO_KEK, and what each has sealed
npm run keys -- rotate                 seal everything under the first key; makes a new one where secrets.json keeps it
npm run keys -- remove KEY_ID          take a key that seals nothing any more out of secrets.json
npm run keys -- accept NAME [--yes]    go on with another ${SECRETS.join(", ")} than the data was written with`;

interface Place {
  sql: postgres.Sql;
  dataDir: string;
  isEmbedded: boolean;
  isConfirmed: boolean;
}

/** Where TRILHO_KEK comes from decides who changes it. */
const isFromFile = (dataDir: string): boolean =>
  !isGivenFromOutside("TRILHO_KEK") && readSecrets(dataDir).TRILHO_KEK !== undefined;

const ownChecks = () => keyChecksOf(withSecrets(process.env));
const ownKeys = (): string[] => ownChecks().TRILHO_KEK.map(keyIdOf);

async function list({ sql }: Place): Promise<void> {
  const report = await checkSecrets(sql, ownChecks());
  if (report.isEmpty) return say("The database is empty: nothing was sealed yet.");
  for (const { line } of report.problems) say(`  ✗ ${line}`);
  const uses = await usesOfKeys(sql);
  const [writing, ...reading] = ownKeys();
  if (writing) say(`${writing}  writes         ${listed(ofKey(uses, writing)) || "sealed nothing yet"}`);
  for (const id of reading) say(`${id}  reads          ${told(uses, id)}`);
  for (const id of unknownKeys(uses)) say(`${id}  is not given   ${told(uses, id)}`);
}

const ofKey = (uses: readonly Use[], id: string): Use[] => uses.filter(({ keyId }) => keyId === id);
const unknownKeys = (uses: readonly Use[]): string[] => {
  const known = ownKeys();
  return [...new Set(uses.map(({ keyId }) => keyId))].filter((id) => !known.includes(id));
};
const told = (uses: readonly Use[], id: string): string =>
  listed(ofKey(uses, id)) || "seals nothing any more: it may go";

async function rotate(place: Place): Promise<void> {
  const { sql, dataDir, isEmbedded } = place;
  requireMatch(await checkSecrets(sql, ownChecks()));
  if (ownKeys().length === 1) {
    if (!isFromFile(dataDir)) throw new Error(howToSet());
    if (!isEmbedded) {
      await confirm(place, `Other machines with this database need a copy of ${secretsFile(dataDir)} at once.`);
    }
    const saved = readSecrets(dataDir);
    saveSecrets(dataDir, { ...saved, TRILHO_KEK: `${newSecret()},${saved.TRILHO_KEK}` });
    say(`  ✓ made key ${ownKeys()[0]} (${secretsFile(dataDir)}): back the file up now`);
  }
  requireMatch(await recordSecrets(sql, ownChecks()));
  if (isFromFile(dataDir)) {
    say("  · waiting until every process writes with it …");
    await pause(KEYS_REREAD_MS + 1_000);
  }
  let done = 0;
  const { unopened } = await rewrapAll(sql, (_, rows) => {
    done += rows;
    if (process.stdout.isTTY) process.stdout.write(`\r  · ${done} rows`);
  });
  say(`${process.stdout.isTTY ? "\r" : ""}  ✓ ${done} rows are under key ${ownKeys()[0]} now`);
  if (unopened > 0) throw new Error(`${unopened} rows cannot be opened with any given key; npm run keys names them.`);
  for (const id of ownKeys().slice(1)) say(await mayGo(place, id));
}

async function mayGo({ sql, dataDir }: Place, id: string): Promise<string> {
  const uses = ofKey(await usesOfKeys(sql), id);
  if (uses.length > 0) {
    return `  ! key ${id} has sealed ${listed(uses)} meanwhile: start every process with the new list, then rotate again`;
  }
  const how = isFromFile(dataDir) ? `npm run keys -- remove ${id}` : `take it out of TRILHO_KEK on every machine`;
  return `  ✓ key ${id} seals nothing any more and may go: ${how}. Backups of the database made until now still need it.`;
}

function howToSet(): string {
  return `TRILHO_KEK is set from outside, so it is changed there:
  1. make a key: openssl rand -base64 32
  2. set TRILHO_KEK=OLD,NEW and start every process with it: all can read the new key
  3. set TRILHO_KEK=NEW,OLD and start every process with it: all write with the new key
  4. npm run keys -- rotate
Nothing was changed.`;
}

function requireMatch({ state, problems, isEmpty }: SecretsReport): void {
  if (isEmpty) throw new Error("The database is empty: start Trilho first.");
  if (state !== "match") throw new Error(`${problems.map(({ line }) => line).join("\n")}\nNothing was changed.`);
}

async function remove({ sql, dataDir }: Place, id: string): Promise<void> {
  if (!isFromFile(dataDir)) throw new Error("TRILHO_KEK is set from outside: take the key out of the list there.");
  const [writing, ...reading] = ownKeys();
  if (id === writing) throw new Error(`Key ${id} is the one that writes: npm run keys -- rotate makes another.`);
  if (!reading.includes(id)) throw new Error(`Key ${id} is not in TRILHO_KEK; npm run keys lists them.`);
  const uses = ofKey(await usesOfKeys(sql), id);
  if (uses.length > 0) throw new Error(`Key ${id} still seals ${listed(uses)}: npm run keys -- rotate`);
  const saved = readSecrets(dataDir);
  const left = (saved.TRILHO_KEK ?? "").split(",").filter((text) => keyIdOf(kekOf(text).check) !== id);
  saveSecrets(dataDir, { ...saved, TRILHO_KEK: left.join(",") });
  await forgetKey(sql, id);
  say(`  ✓ key ${id} is out of ${secretsFile(dataDir)}. Keep it with the backups made until now.`);
}

async function accept(place: Place, given: string): Promise<void> {
  const { sql, dataDir } = place;
  const name = SECRETS.find((each) => each === given);
  if (!name) throw new Error(USAGE);
  const report = await checkSecrets(sql, ownChecks());
  if (report.isEmpty) throw new Error("The database is empty: start Trilho first.");
  if (!report.problems.some((problem) => problem.name === name)) {
    say(`  ✓ ${name} is the one the data was written with: there is nothing to accept`);
    return;
  }
  const uses = await usesOfKeys(sql);
  const unopened = name === "TRILHO_KEK" ? unknownKeys(uses).flatMap((id) => ofKey(uses, id)) : [];
  const losses = lossesOf(name, unopened);
  say(`Without the ${name} that the data was written with:`);
  for (const line of losses) say(`  - ${line}`);
  if (losses.length === 0) say("  - nothing is lost: no row needs another key");
  say("A backup of the secret undoes all of that; afterwards only accepting it again does.");
  await confirm(place, `Go on with another ${name}?`);
  keepIfMissing(dataDir, name);
  await acceptSecret(sql, name, ownChecks());
  if (name === "TRILHO_KEK") await makeFingerprintKeyAnew(sql, ownKeys());
  say(`  ✓ ${name} is accepted; start every process again with it`);
}

function keepIfMissing(dataDir: string, name: GeneratedSecret): void {
  if (withSecrets(process.env)[name]) return;
  saveSecrets(dataDir, { ...readSecrets(dataDir), [name]: newSecret() });
  say(`  ✓ made a new ${name} (${secretsFile(dataDir)})`);
}

async function confirm({ isConfirmed }: Place, question: string): Promise<void> {
  if (isConfirmed) return;
  if (!process.stdin.isTTY) throw new Error(`${question}\nNothing was changed: repeat the command with --yes.`);
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await asking.question(`${question} Type yes: `);
  asking.close();
  if (answer.trim() !== "yes") throw new Error("Nothing was changed.");
}

const COMMANDS: Readonly<Record<string, (place: Place, argument: string) => Promise<void>>> = {
  list,
  rotate,
  remove,
  accept,
};

/** What is given must be usable at all; what is missing is for the commands to say. */
function requireUsable(): void {
  const parsed = parseEnv(withSecrets(process.env));
  const wrong = parsed.ok ? [] : parsed.problems.filter((line) => !/^\w+ is missing;/.test(line));
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { yes: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [name = "list", argument = ""] = positionals;
  const command = COMMANDS[name];
  if (!command) throw new Error(USAGE);
  await withServer(async ({ ownerUrl, dataDir, isEmbedded }) => {
    requireUsable();
    await withConnection(ownerUrl, (sql) => command({ sql, dataDir, isEmbedded, isConfirmed: values.yes }, argument));
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
