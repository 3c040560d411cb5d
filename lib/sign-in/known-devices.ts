import { and, eq, gt } from "drizzle-orm";
import { type Database, systemSql } from "@/db/client";
import { deleteInBatches } from "@/db/delete-in-batches";
import { operatorDevices, operators } from "@/db/schema/operators";
import { newId } from "@/lib/ids";
import { KEPT_DAYS } from "@/lib/retention";
import { digestOfOneTimeToken, newOneTimeToken } from "@/lib/sign-in/one-time";
import { normalEmail } from "@/lib/sign-in/sign-in-attempts";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** Since the last sign-in with it. */
export const DEVICE_SECONDS = KEPT_DAYS.knownDevices * DAY_SECONDS;

const isOf = (token: string, now: Date) =>
  and(
    eq(operatorDevices.digest, digestOfOneTimeToken(token)),
    gt(operatorDevices.lastSignInAt, addSeconds(now, -DEVICE_SECONDS)),
  );

/** The id of a device that this very person signed in with before; a stranger's guesses elsewhere do not concern it. */
export async function knownDevice(
  db: Database,
  { email, device }: { email: string; device?: string | undefined },
  now: Date,
): Promise<string | undefined> {
  if (!device) return undefined;
  const [known] = await db
    .select({ id: operatorDevices.id })
    .from(operatorDevices)
    .innerJoin(operators, eq(operators.id, operatorDevices.operatorId))
    .where(and(isOf(device, now), eq(operators.email, normalEmail(email))));
  return known?.id;
}

/** What the browser is to keep: what it has, if that is this person's, else a new secret. */
export async function rememberDevice(
  db: Database,
  operatorId: string,
  device: string | undefined,
  now: Date,
): Promise<string> {
  if (device) {
    const known = await db
      .update(operatorDevices)
      .set({ lastSignInAt: now })
      .where(and(isOf(device, now), eq(operatorDevices.operatorId, operatorId)))
      .returning({ id: operatorDevices.id });
    if (known.length > 0) return device;
  }
  const { token, digest } = newOneTimeToken();
  await db.insert(operatorDevices).values({ id: newId(), operatorId, digest, createdAt: now, lastSignInAt: now });
  return token;
}

export async function forgetDevices(db: Database, operatorId: string): Promise<void> {
  await db.delete(operatorDevices).where(eq(operatorDevices.operatorId, operatorId));
}

export async function deleteOldDevices(now: Date): Promise<void> {
  const system = systemSql();
  await deleteInBatches(system, "operator_devices", system`last_sign_in_at < ${addSeconds(now, -DEVICE_SECONDS)}`);
}
