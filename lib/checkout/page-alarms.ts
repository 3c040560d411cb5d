import { sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import { log } from "@/lib/log";
import { mailInstallation } from "@/lib/notices/installation";
import { tell } from "@/lib/tell";
import { realNow } from "@/lib/time";

/** Where what holds an account's payment page is set. */
const PATH = "/dashboard/settings/protection";
const INSTALLATION_PATH = "/dashboard/proof";
/** Of one name: two at once would tell it twice. */
const ALARM_LOCK = 4_782_007;

export interface PageAlarm {
  /** A browser kept it from running, or the daily comparison found it. */
  source: "report" | "comparison";
  /** A directive or a header: one of few words, never a text of a stranger's. */
  name: string;
}

/**
 * Tells the account's people, and whoever runs the installation, that a payment page held what was not published: of one
 * name once a day, however often it is said, and by e-mail to the installation once a day for each source.
 * @returns whether it was new
 */
export async function raisePageAlarm(clientId: string, alarm: PageAlarm): Promise<boolean> {
  return systemDb().transaction(async (db) => {
    await db.execute(sql`select pg_advisory_xact_lock(${ALARM_LOCK}, hashtext(${`${clientId} ${alarm.name}`}))`);
    const [told] = await db.execute<{ told: boolean; at: string }>(sql`
      select exists (select from notices n where n.client_id = ${clientId} and n.kind = 'payment_page'
                       and n.name = ${alarm.name} and n.created_at >= date_trunc('day', now(), 'UTC')) as told,
             (select coalesce(clock_frozen_at, now() + clock_offset_seconds * interval '1 second')
                from clients where id = ${clientId})::text as at`);
    if (!told || told.told) return false;
    await tell(db, { clientId, kind: "payment_page", path: PATH, at: new Date(told.at), name: alarm.name });
    log.error(
      { clientId, kind: "payment_page", reason: alarm.name, outcome: alarm.source },
      "a payment page was changed",
    );
    await mailInstallation(db, {
      kind: "payment_page",
      name: alarm.name,
      path: INSTALLATION_PATH,
      dedupe: `payment-page:${alarm.source}:${realNow().toISOString().slice(0, 10)}`,
    });
    return true;
  });
}
