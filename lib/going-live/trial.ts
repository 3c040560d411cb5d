import { sql } from "drizzle-orm";
import { loadAccount } from "@/lib/accounts/service";
import { type Context, inTransaction } from "@/lib/context";
import { type Check, type CheckName, checkOf } from "@/lib/going-live/check";
import { may } from "@/lib/operators/permissions";
import type { OperatorAccount } from "@/lib/operators/sessions";

interface Tried extends Record<string, unknown> {
  trialPaid: boolean;
  trialDeclined: boolean;
  trialRefunded: boolean;
}

const TRIALS = ["trialPaid", "trialDeclined", "trialRefunded"] as const satisfies readonly CheckName[];

/**
 * Whether a payment was tried to each end with test money. A live account is tried in the sandbox accounts that its
 * reader belongs to, as far as they may see payments there.
 */
export async function trialsOf(ctx: Context, others: readonly OperatorAccount[]): Promise<Check[]> {
  if (ctx.account.mode === "sandbox") {
    const tried = await triedIn(ctx);
    return TRIALS.map((name) =>
      checkOf(name, tried[name] ? { state: "done", detail: "trialDone" } : { state: "todo", detail: "trialMissing" }),
    );
  }
  const places = others.filter(({ mode, role }) => mode === "sandbox" && may(role, "payments.see"));
  if (places.length === 0) return TRIALS.map((name) => checkOf(name, { state: "todo", detail: "trialNoSandbox" }));
  const found: { name: string; tried: Tried }[] = [];
  for (const place of places) found.push({ name: place.name, tried: await triedIn(await insideOf(ctx, place)) });
  return TRIALS.map((trial) => {
    const names = found.filter(({ tried }) => tried[trial]).map(({ name }) => name);
    return checkOf(
      trial,
      names.length > 0
        ? { state: "done", detail: "trialDoneIn", names }
        : { state: "todo", detail: "trialMissingIn", names: found.map(({ name }) => name) },
    );
  });
}

async function insideOf({ principal, requestId, ...ctx }: Context, place: OperatorAccount): Promise<Context> {
  return {
    account: await loadAccount(place.id),
    principal,
    requestId,
    db: ctx.db,
    isInTransaction: false,
    ...(place.merchants ? { merchants: place.merchants } : {}),
  };
}

/** A card of several in one purchase counts like a payment by itself. */
const triedIn = (ctx: Context): Promise<Tried> =>
  inTransaction(ctx, async ({ db, account }) => {
    const [row] = await db.execute<Tried>(sql`
      select exists (select from charges where client_id = ${account.id} and captured_amount > 0) as "trialPaid",
             exists (select from charges where client_id = ${account.id} and decline_code is not null) as "trialDeclined",
             exists (select from charges where client_id = ${account.id} and refunded_amount > 0) as "trialRefunded"`);
    if (!row) throw new Error("a select of values answers one row");
    return row;
  });
