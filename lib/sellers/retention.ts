import { sql } from "drizzle-orm";
import { systemDb } from "@/db/client";

const MOST_ERASED = 500;
const AFTER_DELETION = sql.raw("interval '30 days'");
/** Since the seller last received or gave back anything, else since it was made. */
const AFTER_LAST_PAYMENT = sql.raw("interval '5 years'");

/** Documents that nobody named in time, of sellers deleted a month ago, and of those nobody paid for years. */
export async function eraseDocuments(): Promise<number> {
  const erased = await systemDb().execute<{ id: string }>(sql`
    update seller_documents set ciphertext = null, nonce = null, wrapped_key = null, erased_at = now(), updated_at = now()
     where id in (
       select d.id from seller_documents d left join sellers s on s.id = d.seller_id
        where d.erased_at is null and (
              d.deleted_at is not null
           or d.expires_at < now()
           or s.deleted_at < now() - ${AFTER_DELETION}
           or s.created_at < now() - ${AFTER_LAST_PAYMENT} and not exists (
                select from receivables r
                 where r.merchant_id = s.merchant_id and r.seller_id = s.id and r.created_at >= now() - ${AFTER_LAST_PAYMENT}))
        limit ${MOST_ERASED})
    returning id`);
  return [...erased].length;
}
