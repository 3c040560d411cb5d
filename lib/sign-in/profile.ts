import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { operators, signInChallenges } from "@/db/schema/operators";
import type { Locale } from "@/lib/i18n/locales";
import { digestOfOneTimeToken } from "@/lib/sign-in/one-time";
import { auditPerson, type Doer } from "@/lib/sign-in/person-audit";
import { normalEmail } from "@/lib/sign-in/sign-in-attempts";

export interface Profile {
  name: string;
  locale: Locale | null;
  timeZone: string | null;
}

export async function profileOf(db: Database, operatorId: string): Promise<Profile | undefined> {
  const [row] = await db
    .select({ name: operators.name, locale: operators.locale, timeZone: operators.timeZone })
    .from(operators)
    .where(eq(operators.id, operatorId));
  return row;
}

/** How pages look for who has just come in: by the address their password was right for, or the challenge they answered. */
export async function profileAtDoor(
  db: Database,
  proven: { email: string } | { challenge: string },
): Promise<Omit<Profile, "name"> | undefined> {
  const isThem =
    "email" in proven
      ? eq(operators.email, normalEmail(proven.email))
      : inArray(
          operators.id,
          db
            .select({ id: signInChallenges.operatorId })
            .from(signInChallenges)
            .where(
              and(
                eq(signInChallenges.digest, digestOfOneTimeToken(proven.challenge)),
                isNotNull(signInChallenges.usedAt),
              ),
            ),
        );
  // Who chose no zone reads times in that of the account they come to.
  const theirs = sql<string | null>`coalesce(${operators.timeZone}, (
    select c.time_zone from memberships m join clients c on c.id = m.client_id
     where m.operator_id = ${operators.id} and m.ended_at is null order by m.created_at, c.id limit 1))`;
  const [row] = await db.select({ locale: operators.locale, timeZone: theirs }).from(operators).where(isThem);
  return row;
}

export async function changeProfile(db: Database, doer: Doer, profile: Profile, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await profileOf(tx, doer.operatorId);
    await tx
      .update(operators)
      .set({ ...profile, updatedAt: now })
      .where(eq(operators.id, doer.operatorId));
    await auditPerson(tx, doer, {
      action: "operator.change",
      ...(before ? { before: { ...before } } : {}),
      after: { ...profile },
    });
  });
}
