import { sql } from "drizzle-orm";
import { systemDb } from "@/db/client";
import type { Fault } from "@/lib/engine/inngest/faults";
import { newId } from "@/lib/ids";
import { mailInstallation } from "@/lib/notices/installation";

/** Short outages end by themselves; what lasts concerns everybody whose payments wait for it. */
const LASTING_SECONDS = 60;
const PATH = "/dashboard";

/** Tells the people of every account and of the installation, once, that Inngest does not do its part, or does it again. */
export async function tellOfEngine(fault: Fault | null): Promise<boolean> {
  const kind = fault === null ? "engine_back" : "engine_silent";
  return systemDb().transaction(async (db) => {
    const told = await db.execute(sql`
      update engine_link set noticed_at = case when ${fault === null} then null else now() end
       where (noticed_at is null) = ${fault !== null}
         and (${fault === null || fault === "silent"} or told_at < now() - ${LASTING_SECONDS} * interval '1 second')
      returning id`);
    if (told.length === 0) return false;
    await db.execute(sql`
      select notice_of(id, ${kind}, ${PATH},
                       coalesce(clock_frozen_at, now() + clock_offset_seconds * interval '1 second'), ${fault})
        from clients where status = 'active'`);
    await mailInstallation(db, { kind, name: fault, path: PATH, dedupe: `engine:${newId()}` });
    return true;
  });
}
