import { breachesIn } from "@/scripts/layers/rules";
import { readSources } from "@/scripts/layers/sources";

const breaches = breachesIn(readSources());
for (const { path, line, why } of breaches) process.stderr.write(`${path}:${line}: ${why}\n`);
process.exit(breaches.length > 0 ? 1 : 0);
