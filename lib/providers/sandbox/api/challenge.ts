import { loadAccount } from "@/lib/accounts/service";
import { challengeOf as challengeAttemptOf } from "@/lib/charges/history";
import { type Charge, type ChargeRow, getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction, now, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { type Challenge, challengeOf, continueChallenge } from "@/lib/providers/sandbox/force";
import { backToShop, CHALLENGE_SECONDS } from "@/lib/three-ds/ticket";
import { addSeconds } from "@/lib/time";

/** What the simulated issuer shows: nothing but the amount, where the buyer pays, and the way back once it is over. */
export interface ChallengeShown {
  amount: number;
  currency: string;
  isOpen: boolean;
  /** Where the payment goes on; its own page, or the shop's around its frame. */
  back: string | undefined;
}

export async function showChallenge(transactionId: string): Promise<ChallengeShown | undefined> {
  const found = await challengeOf(transactionId);
  if (!found) return undefined;
  const { row } = await inTransaction(await contextOf(found), (inside) => getCharge(inside, found.chargeId));
  return { amount: row.amount, currency: row.currency, isOpen: row.status === "pending", back: wayBack(row) };
}

/** The buyer continues: the issuer decides now, unless it has. Answers the way back to the shop's payment. */
export async function passChallenge(transactionId: string): Promise<string | undefined> {
  const found = await challengeOf(transactionId);
  if (!found) return undefined;
  const ctx = await contextOf(found);
  if (found.isPending) await continueChallenge(ctx.account.id, transactionId, () => now(ctx));
  const charge = await inTransaction(ctx, (inside) => getCharge(inside, found.chargeId));
  return takesReturn(charge, now(ctx)) ? termUrlOf(charge.row.threeDSecure2) : wayBack(charge.row);
}

const contextOf = async ({ clientId }: Challenge): Promise<Context> =>
  systemContext(await loadAccount(clientId), newId());

/** The issuer's own way back is taken once, and in time. */
function takesReturn(charge: Charge, at: Date): boolean {
  const attempt = challengeAttemptOf(charge);
  return attempt?.requestStatusReason === null && at <= addSeconds(attempt.createdAt, CHALLENGE_SECONDS);
}

function wayBack({ id, threeDSecure2 }: ChargeRow): string | undefined {
  const url = threeDSecure2?.redirectURL;
  if (typeof url !== "string" || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined;
  return backToShop(url, id);
}

function termUrlOf(threeDS: Record<string, unknown> | null): string | undefined {
  const inside = (value: unknown, name: string): unknown =>
    typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
  const url = inside(inside(inside(threeDS, "authData"), "response"), "termUrl");
  return typeof url === "string" ? url : undefined;
}
