import { readFileSync } from "node:fs";
import { migrationObjections } from "@/scripts/checks/migrations";
import { breachesIn, brokenLists } from "@/scripts/layers/rules";
import { readSources } from "@/scripts/layers/sources";
import { untoldFolders } from "@/scripts/layers/told";

const sources = readSources();
const breaches = [
  ...breachesIn(sources),
  ...brokenLists(sources),
  ...untoldFolders(sources, readFileSync("README.md", "utf8")),
];
for (const { path, line, why } of breaches) process.stderr.write(`${path}:${line}: ${why}\n`);
const objections = migrationObjections();
for (const { tag, statement, why } of objections)
  process.stderr.write(`db/migrations/${tag}.sql: ${statement ? `${statement}: ` : ""}${why}\n`);
process.exit(breaches.length + objections.length > 0 ? 1 : 0);
