import { auditLog } from "@/db/schema/accounts";
import { insertion, type Write, writeTogether } from "@/db/writes";
import { type Context, now } from "@/lib/context";
import { newId } from "@/lib/ids";
import { realNow } from "@/lib/time";

export interface Audited {
  /** `provider.update` … */
  action: string;
  object: string;
  objectId: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  /** In the words of the person who did it. */
  reason?: string | undefined;
}

/** One row for each privileged action, in its transaction. Secrets and personal data stay out of before and after. */
export async function audit(ctx: Context, entry: Audited): Promise<void> {
  await writeTogether(ctx.db, [auditing(ctx, entry)]);
}

/** The same as a write of the caller's statement. */
export const auditing = (ctx: Context, entry: Audited): Write =>
  insertion(auditLog, {
    id: newId(),
    clientId: ctx.account.id,
    actor: actorOf(ctx),
    action: entry.action,
    object: entry.object,
    objectId: entry.objectId,
    before: entry.before ?? null,
    after: entry.after ?? null,
    reason: entry.reason ?? ctx.reason ?? null,
    secondActor: ctx.secondPerson === undefined ? null : operatorActor(ctx.secondPerson),
    ip: ctx.ip ?? null,
    requestId: ctx.requestId,
    at: realNow(),
    accountAt: now(ctx),
  });

const OPERATOR = "operator:";
export const operatorActor = (operatorId: string): string => OPERATOR + operatorId;

/** The operator that an actor is, if it is one. */
export const operatorIn = (actor: string): string | undefined =>
  actor.startsWith(OPERATOR) ? actor.slice(OPERATOR.length) : undefined;

const KEY = "key:";

/** The secret key that an actor is, if it is one. */
export const keyIn = (actor: string): string | undefined =>
  actor.startsWith(KEY) ? actor.slice(KEY.length) : undefined;

export function actorOf({ principal }: Context): string {
  switch (principal.kind) {
    case "secret":
      return KEY + principal.keyId;
    case "operator":
      return operatorActor(principal.operatorId);
    case "seller":
      return `seller:${principal.accessId}`;
    case "system":
      return "system";
    default:
      return `${principal.kind}:${principal.publicKey}`;
  }
}
