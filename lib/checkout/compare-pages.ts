import { createHmac } from "node:crypto";
import { systemDb, systemSql } from "@/db/client";
import { pageChecks } from "@/db/schema/page-checks";
import { raisePageAlarm } from "@/lib/checkout/page-alarms";
import { comparePage, type PageDifference } from "@/lib/checkout/page-watch";
import { visitHash } from "@/lib/checkout/visit";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { serverSecret } from "@/lib/secrets";
import { paymentLinkOf } from "@/lib/sessions/serializer";
import { realNow } from "@/lib/time";

/** The newest open link of each of so many accounts, the accounts that used theirs last first. */
const MOST_PAGES = 100;
const LOOKED_BACK = "90 days";

interface Open {
  client_id: string;
  id: string;
}

export interface PageComparison {
  pages: number;
  differences: (PageDifference & { page: string })[];
  failure: string | null;
}

/**
 * Compares a payment page of each account with the build, keeps the result, and raises the alarm for what differs. A page
 * that cannot be read at all is a failure, which the doctor and the metrics tell: there was nothing to compare.
 */
export async function comparePages(): Promise<PageComparison> {
  const links = await systemSql()<Open[]>`
    select client_id, id from (
      select distinct on (s.client_id) s.client_id, s.id, s.created_at
        from sessions s join clients c on c.id = s.client_id and c.status = 'active'
       where s.status = 'created' and s.is_active and s.has_link and s.created_at > now() - ${LOOKED_BACK}::interval
         and (s.due_at is null
              or s.due_at > coalesce(c.clock_frozen_at, now() + c.clock_offset_seconds * interval '1 second'))
       order by s.client_id, s.created_at desc) newest
     order by created_at desc limit ${MOST_PAGES}`;
  const comparison: PageComparison = { pages: 0, differences: [], failure: null };
  for (const { client_id: clientId, id } of links) {
    const link = paymentLinkOf(id);
    try {
      const found = await visited(link, id);
      comparison.pages++;
      comparison.differences.push(...found.map((one) => ({ ...one, page: id })));
      for (const { what, detail } of found) {
        log.error({ clientId, kind: "payment_page", reason: what, outcome: detail }, "a payment page differs");
        await raisePageAlarm(clientId, { source: "comparison", name: what === "header" ? detail : what });
      }
    } catch (thrown) {
      comparison.failure = thrown instanceof Error ? thrown.message : String(thrown);
      log.error({ clientId, job: "compare-pages", error: thrown }, "a payment page could not be compared");
    }
  }
  await systemDb()
    .insert(pageChecks)
    .values({ ...comparison, id: newId(), checkedAt: realNow() });
  return comparison;
}

/** Asked for as a browser would, and taken out of the figures of the link again. */
async function visited(link: string, sessionId: string): Promise<PageDifference[]> {
  const visit = createHmac("sha256", serverSecret("page comparison"))
    .update(sessionId)
    .digest("base64url")
    .slice(0, 22);
  const name = env().CHECKOUT_URL.startsWith("https:") ? "__Host-visit" : "visit";
  try {
    return await comparePage(`${link}?method=card`, `${name}=${visit}`);
  } finally {
    await systemSql()`delete from link_visits where session_id = ${sessionId} and visit_hash = ${visitHash(visit)}`;
  }
}
