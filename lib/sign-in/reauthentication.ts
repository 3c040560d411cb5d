import type { Database } from "@/db/client";
import { hasSecondFactor } from "@/lib/sign-in/passkeys";
import type { Doer } from "@/lib/sign-in/person-audit";
import { confirmedByFactor } from "@/lib/sign-in/totp";

export interface TypedCredentials {
  password: string;
  /** Of the app, or a recovery code; looked at where the person has a second factor. */
  code: string;
}

/** What cannot be undone asks for all that the person signs in with, however long the session has been open. */
export async function reauthenticate(
  db: Database,
  doer: Doer,
  { password, code }: TypedCredentials,
  now: Date,
): Promise<"right" | "wrong" | "locked"> {
  const hasFactor = await hasSecondFactor(db, doer.operatorId);
  return confirmedByFactor(db, doer, hasFactor ? { password, code } : { password }, now, async () => "right" as const);
}
