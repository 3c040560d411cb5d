import { type SessionAction, sessionHistory } from "@/db/schema/sessions";
import { actorOf } from "@/lib/audit";
import { type Context, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import type { SessionRow } from "@/lib/sessions/state";

export interface ChangedField {
  from: unknown;
  to: unknown;
}

export interface Recorded {
  actions: SessionAction[];
  changes?: Record<string, ChangedField>;
  reason?: string;
  expiredAt?: Date;
}

/** One record of the audit trail, in the transaction of its change and under the session's lock. */
export async function recordSessionChange(
  ctx: Context,
  row: SessionRow,
  { actions, changes, reason, expiredAt }: Recorded,
) {
  const at = now(ctx);
  const isAboutPayments = actions.some((action) => ABOUT_PAYMENTS.includes(action));
  const diff = {
    ...(changes ? { changes: Object.fromEntries(Object.entries(changes).map(withReason(reason))) } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(expiredAt ? { expiredAt: expiredAt.toISOString() } : {}),
    ...(isAboutPayments
      ? {
          maxPaymentsContext: {
            maxPayments: row.maxPayments,
            paymentCount: row.paymentCount,
            pendingCount: row.pendingCount,
          },
        }
      : {}),
  };
  await ctx.db.insert(sessionHistory).values({
    id: newId(),
    clientId: ctx.account.id,
    sessionId: row.id,
    merchantId: row.merchantId,
    status: row.status === "created" && !row.isActive ? "disabled" : row.status,
    actions,
    diff: Object.keys(diff).length > 0 ? diff : null,
    actor: actorOf(ctx),
    createdAt: at,
    updatedAt: at,
  });
}

const ABOUT_PAYMENTS: readonly SessionAction[] = [
  "paymentSucceeded",
  "paymentPending",
  "paymentFailed",
  "paymentExpired",
  "maxPaymentsChanged",
  "sessionExpiredByMaxPayments",
];

const withReason =
  (reason: string | undefined) =>
  ([field, { from, to }]: [string, ChangedField]) =>
    [field, { from: plain(from), to: plain(to), reason: reason ?? null }] as const;

const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null));
