import type { Database } from "@/db/client";
import { hasSecondFactor } from "@/lib/operators/passkeys";
import type { Doer } from "@/lib/operators/person-audit";
import { confirmed } from "@/lib/operators/totp";

export interface TypedAgain {
  password: string;
  /** Of the app, or a recovery code; looked at where the person has a second factor. */
  code: string;
}

/** What cannot be undone asks for all that the person signs in with, however long the session has been open. */
export async function askedAgain(
  db: Database,
  doer: Doer,
  { password, code }: TypedAgain,
  now: Date,
): Promise<"right" | "wrong" | "locked"> {
  const hasFactor = await hasSecondFactor(db, doer.operatorId);
  return confirmed(db, doer, hasFactor ? { password, code } : { password }, now, async () => "right" as const);
}
