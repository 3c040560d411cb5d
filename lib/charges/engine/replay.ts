import type { Decision } from "@/lib/charges/engine/decision";
import type { Charge } from "@/lib/charges/queries";
import { type Context, now } from "@/lib/context";
import type { AttemptRow } from "@/lib/payments/attempts";
import { type Capabilities, isReplayTheQuery } from "@/lib/providers/capabilities";
import { providerFor } from "@/lib/providers/registry";
import { addSeconds } from "@/lib/time";
import { deleteCvv, extendCvv, readCvv } from "@/lib/vault/cvv";

const HOUR_SECONDS = 3_600;

/** Whether an authorization at this kind may have to be sent again under its key to learn what became of it. */
export const mayReplayAuthorization = (kind: string): boolean =>
  isReplayTheQuery(providerFor(kind).capabilities, false);

/** Kept for as long as a replay may need it: at most two hours (spec/adapters.md section 2). */
export async function keepCvvForReplays(ctx: Context, { row }: Charge, { providerType }: AttemptRow): Promise<void> {
  if (row.cvvTokenId && mayReplayAuthorization(providerType)) await extendCvv(ctx.account.id, row.cvvTokenId);
}

/** Once the authorization is answered nobody needs it. */
export async function deleteAnsweredCvv(ctx: Context, { row }: Charge, { deletesCvv }: Decision): Promise<void> {
  if (deletesCvv && row.cvvTokenId) await deleteCvv(ctx.account.id, row.cvvTokenId);
}

/** Whether the request can be sent again as it was: within the life of its key, and with the CVV that it carried. */
export async function canReplay(ctx: Context, { row }: Charge, attempt: AttemptRow): Promise<boolean> {
  const { capabilities } = providerFor(attempt.providerType);
  // What a change acts on is known; its own id never is.
  const isIdKnown = attempt.transactionId !== null;
  if (!isReplayTheQuery(capabilities, isIdKnown)) return false;
  if (!isKeyAlive({ attempt, now: now(ctx) })) return false;
  if (attempt.kind !== "authorize" || row.cvvTokenId === null) return true;
  return (await readCvv(ctx.account.id, row.cvvTokenId)) !== undefined;
}

/** Past its life the provider takes the same key for a new request. */
export const isKeyAlive = ({ attempt, now }: { attempt: AttemptRow; now: Date }): boolean =>
  now < keyEndsAt(providerFor(attempt.providerType).capabilities, attempt);

const NEVER = new Date(8.64e15);

/** From the first send on, which was not before the attempt was recorded: later ones do not lengthen it. */
function keyEndsAt({ idempotency }: Capabilities, { createdAt }: AttemptRow): Date {
  return idempotency.kind === "header" ? addSeconds(createdAt, idempotency.ttlHours * HOUR_SECONDS) : NEVER;
}
