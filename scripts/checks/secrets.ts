import { existsSync } from "node:fs";
import { type EnvSource, type GeneratedSecret, SECRETS } from "@/lib/env";
import { checkSecrets, keyChecksOf, lostRows } from "@/lib/keys/checks";
import type { Finding } from "@/scripts/checks/checks";
import { withConnection } from "@/scripts/start/secrets";

const CANNOT = "the secrets could not be compared with the database's";

/** Lost and foreign secrets, and keys that were taken away while rows still need them. */
export async function examineSecrets(url: string, source: EnvSource): Promise<Finding[]> {
  try {
    return await withConnection(url, async (sql) => {
      const given = keyChecksOf(source);
      const { problems, isEmpty } = await checkSecrets(sql, given);
      const lines = isEmpty ? [] : [...problems.map(({ line }) => line), ...(await lostRows(sql, given))];
      return lines.map((line): Finding => ({ kind: "problem", line }));
    });
  } catch {
    // A database that does not answer is told of by its own check.
    return [{ kind: "warning", line: CANNOT }];
  }
}

/** What nobody gave: made by a first start, and a loss beside a database. */
export function examineMissing(source: EnvSource, cluster: string, isReachable: boolean): Finding[] {
  if (isReachable) return [];
  const missing = SECRETS.filter((name) => !source[name]?.trim());
  return missing.map((name) => missingBeside(name, cluster));
}

const missingBeside = (name: GeneratedSecret, cluster: string): Finding =>
  existsSync(cluster)
    ? {
        kind: "problem",
        line: `${name} is missing beside the database in ${cluster}: set it or restore secrets.json in TRILHO_DATA_DIR from its backup`,
      }
    : { kind: "warning", line: `${name} is missing (the first start makes it)` };
