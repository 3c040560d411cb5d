import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import type { Context } from "@/lib/context";
import { inTransaction, systemContext } from "@/lib/context";
import { isUuid } from "@/lib/ids";
import { asOffered, type OfferedSession } from "@/lib/sessions/offered";
import { getSession } from "@/lib/sessions/queries";

export interface OpenedSession {
  /** Of the session's account, with the rights of the session's own key; outside any transaction. */
  ctx: Context;
  session: OfferedSession;
  /** Its account was closed by its owners: what was paid is shown, and nothing is taken. */
  isAccountClosed: boolean;
}

/** For the hosted page, where nobody says whose a session is: its account, or undefined for what is no link. */
export async function openSession(
  sessionId: string,
  request: { requestId: string; ip?: string | undefined },
): Promise<OpenedSession | undefined> {
  if (!isUuid(sessionId)) return undefined;
  const [found] = await systemSql()<
    { client_id: string; public_key: string; customer_id: string | null; made_by: string | null; is_closed: boolean }[]
  >`
    select s.client_id, s.public_key, s.customer_id, s.created_by_key as made_by, c.status = 'closed' as is_closed
      from sessions s join clients c on c.id = s.client_id
     where s.id = ${sessionId} and c.status in ('active', 'closed')`;
  if (!found) return undefined;
  const system = systemContext(await loadAccount(found.client_id), request.requestId);
  const session = await inTransaction(system, async (inside) => asOffered(inside, await getSession(inside, sessionId)));
  const ctx: Context = {
    ...system,
    principal: {
      kind: "session",
      publicKey: found.public_key,
      sessionId: session.id,
      customerId: found.customer_id,
      madeBy: found.made_by,
      isOver: session.status === "canceled" || session.status === "voided",
    },
    ...(request.ip === undefined ? {} : { ip: request.ip }),
  };
  return { ctx, session, isAccountClosed: found.is_closed };
}
