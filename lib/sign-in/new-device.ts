import { and, desc, eq, isNull } from "drizzle-orm";
import type { Database } from "@/db/client";
import { memberships, operatorSessions } from "@/db/schema/operators";
import { networkOf } from "@/lib/addresses";
import { env } from "@/lib/env";
import { type Locale, mailLocaleOf } from "@/lib/i18n/locales";
import { queueOperatorMail } from "@/lib/mail/queue";
import { deviceOf } from "@/lib/sign-in/device";
import { tell } from "@/lib/tell";

const REMEMBERED = 200;

interface From {
  address: string | null;
  userAgent: string | null;
}

const markOf = ({ address, userAgent }: From): string =>
  `${deviceOf(userAgent) ?? ""} ${address === null ? "" : networkOf(address)}`;

/** Somebody whose password was stolen learns of it: a device or a network that was never seen is told by e-mail. */
export async function tellOfNewDevice(
  db: Database,
  person: { id: string; email: string; locale: Locale | null; browserLocale: Locale | null },
  from: From,
  now: Date,
): Promise<void> {
  const earlier = await db
    .select({ address: operatorSessions.address, userAgent: operatorSessions.userAgent })
    .from(operatorSessions)
    .where(eq(operatorSessions.operatorId, person.id))
    .orderBy(desc(operatorSessions.id))
    .limit(REMEMBERED);
  const mark = markOf(from);
  if (earlier.length === 0 || earlier.some((session) => markOf(session) === mark)) return;
  const accounts = await db
    .select({ id: memberships.clientId })
    .from(memberships)
    .where(and(eq(memberships.operatorId, person.id), isNull(memberships.endedAt)));
  const path = "/dashboard/settings/security";
  for (const { id: clientId } of accounts)
    await tell(db, { clientId, kind: "new_sign_in", operatorId: person.id, path, at: now });
  await queueOperatorMail(db, {
    template: "new-sign-in",
    to: person.email,
    locale: mailLocaleOf(person),
    data: {
      at: now.toISOString(),
      ip: from.address ?? "",
      device: deviceOf(from.userAgent) ?? "",
      url: `${env().BASE_URL}${path}`,
    },
  });
}
