import { loadAccount } from "@/lib/accounts/service";
import { getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction, now, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { type Challenge, challengeOf, continueChallenge } from "@/lib/providers/sandbox/force";

/** What the simulated issuer shows: nothing but the amount and where the buyer pays. */
export interface ChallengeShown {
  amount: number;
  currency: string;
  isOpen: boolean;
}

export async function showChallenge(transactionId: string): Promise<ChallengeShown | undefined> {
  const found = await challengeOf(transactionId);
  if (!found) return undefined;
  const { row } = await inTransaction(await contextOf(found), (inside) => getCharge(inside, found.chargeId));
  return { amount: row.amount, currency: row.currency, isOpen: row.status === "pending" };
}

/** The buyer continues: the issuer decides now. Answers the way back to the shop's payment. */
export async function passChallenge(transactionId: string): Promise<string | undefined> {
  const found = await challengeOf(transactionId);
  if (!found?.isPending) return undefined;
  const ctx = await contextOf(found);
  await continueChallenge(ctx.account.id, transactionId, () => now(ctx));
  const { row } = await inTransaction(ctx, (inside) => getCharge(inside, found.chargeId));
  return termUrlOf(row.threeDSecure2);
}

const contextOf = async ({ clientId }: Challenge): Promise<Context> =>
  systemContext(await loadAccount(clientId), newId());

function termUrlOf(threeDS: Record<string, unknown> | null): string | undefined {
  const inside = (value: unknown, name: string): unknown =>
    typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
  const url = inside(inside(inside(threeDS, "authData"), "response"), "termUrl");
  return typeof url === "string" ? url : undefined;
}
