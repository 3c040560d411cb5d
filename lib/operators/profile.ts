import { eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { operators } from "@/db/schema/operators";
import type { Locale } from "@/lib/i18n/locales";
import { normalEmail } from "@/lib/operators/attempts";
import { auditPerson, type Doer } from "@/lib/operators/person-audit";

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

/** Whose address is typed at the door: what their pages look like from the first on. */
export async function profileOfEmail(db: Database, email: string): Promise<Profile | undefined> {
  const [row] = await db
    .select({ name: operators.name, locale: operators.locale, timeZone: operators.timeZone })
    .from(operators)
    .where(eq(operators.email, normalEmail(email)));
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
