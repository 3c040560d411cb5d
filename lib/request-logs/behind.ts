import { and, asc, between, eq, or } from "drizzle-orm";
import { requestLogs } from "@/db/schema/accounts";
import { type Context, inTransaction } from "@/lib/context";
import { timeOfId } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { LISTED, type ListedRequest } from "@/lib/request-logs/queries";
import { addSeconds } from "@/lib/time";

const BEFORE_SECONDS = 120;
/** Repeats are looked for this long: whoever lost an answer asks again soon. */
const AFTER_SECONDS = 3_600;
const MOST_SHOWN = 20;

interface Made {
  id: string;
  requestId: string | null;
  idempotencyKey: string | null;
}

/** The call that made something, and the calls that were answered from its key; nobody's who may not see the log. */
export async function requestsBehind(
  ctx: Context,
  role: OperatorRole,
  { id, requestId, idempotencyKey }: Made,
): Promise<{ made: ListedRequest | undefined; repeats: ListedRequest[] }> {
  // An id is made on real time, as the log is; the account's own clock may stand elsewhere.
  const at = timeOfId(id);
  const clues = [
    requestId ? eq(requestLogs.requestId, requestId) : undefined,
    idempotencyKey ? eq(requestLogs.idempotencyKey, idempotencyKey) : undefined,
  ];
  if (!may(role, "requests.see") || !at || clues.every((clue) => clue === undefined))
    return { made: undefined, repeats: [] };
  const rows = await inTransaction(ctx, ({ db, account }) =>
    db
      .select(LISTED)
      .from(requestLogs)
      .where(
        and(
          eq(requestLogs.clientId, account.id),
          between(requestLogs.createdAt, addSeconds(at, -BEFORE_SECONDS), addSeconds(at, AFTER_SECONDS)),
          or(...clues),
        ),
      )
      .orderBy(asc(requestLogs.createdAt), asc(requestLogs.id))
      .limit(MOST_SHOWN),
  );
  return {
    made: rows.find((row) => row.requestId === requestId) ?? rows.find(({ replayed }) => !replayed),
    repeats: rows.filter((row) => row.replayed),
  };
}
