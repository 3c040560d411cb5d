import { systemSql } from "@/db/client";
import { env } from "@/lib/env";
import { checkValueOf, keks } from "@/lib/kek";
import { checkSecrets, type GivenChecks, recordSecrets, type SecretsReport } from "@/lib/keys/checks";

/** What this process works with. */
function ownChecks(): GivenChecks {
  const { TRILHO_SECRET, AUTH_SECRET } = env();
  return {
    TRILHO_KEK: keks().map(({ check }) => check),
    TRILHO_SECRET: [checkValueOf(Buffer.from(TRILHO_SECRET))],
    AUTH_SECRET: AUTH_SECRET.map((text) => checkValueOf(Buffer.from(text))),
  };
}

/** The secrets of this process against its database. Rejects while the database is away. */
export const secretsState = (): Promise<SecretsReport> => checkSecrets(systemSql(), ownChecks());

/** At a first connection: notes them where the database knows of none yet, for processes that no launcher started. */
export const noteOwnSecrets = (): Promise<SecretsReport> => recordSecrets(systemSql(), ownChecks());
