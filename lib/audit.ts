import { auditLog } from "@/db/schema/accounts";
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
}

/** One row for each privileged action, in its transaction. Secrets and personal data stay out of before and after. */
export async function audit(ctx: Context, entry: Audited): Promise<void> {
  await ctx.db.insert(auditLog).values({
    id: newId(),
    clientId: ctx.account.id,
    actor: actorOf(ctx),
    action: entry.action,
    object: entry.object,
    objectId: entry.objectId,
    before: entry.before ?? null,
    after: entry.after ?? null,
    ip: ctx.ip ?? null,
    requestId: ctx.requestId,
    at: realNow(),
    accountAt: now(ctx),
  });
}

function actorOf({ principal }: Context): string {
  switch (principal.kind) {
    case "secret":
      return `key:${principal.keyId}`;
    case "operator":
      return `operator:${principal.operatorId}`;
    case "system":
      return "system";
    default:
      return `${principal.kind}:${principal.publicKey}`;
  }
}
