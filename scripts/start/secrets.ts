import { randomBytes } from "node:crypto";
import { linkSync, rmSync, writeFileSync } from "node:fs";
import { type GeneratedSecret, readSecrets, SECRETS, secretsFile } from "@/lib/env";

const SECRET_BYTES = 32;

/** Makes the secrets nobody gave, once: the vault can only be read with the key it was written with. */
export function ensureSecrets(dataDir: string, given: Readonly<Record<string, string | undefined>>): boolean {
  const missing = SECRETS.filter((name) => !given[name]?.trim() && readSecrets(dataDir)[name] === undefined);
  if (missing.length === 0) return false;
  const secrets: Partial<Record<GeneratedSecret, string>> = { ...readSecrets(dataDir) };
  for (const name of missing) secrets[name] = randomBytes(SECRET_BYTES).toString("base64");
  save(dataDir, secrets);
  return true;
}

/** A first file never replaces one that another process has just made; later additions replace it whole. */
function save(dataDir: string, secrets: Partial<Record<GeneratedSecret, string>>): void {
  const file = secretsFile(dataDir);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  try {
    if (Object.keys(readSecrets(dataDir)).length > 0) rmSync(file);
    linkSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
