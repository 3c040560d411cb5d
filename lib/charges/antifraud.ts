import { feed, isFed, type KeptAnalysis, optionsOf } from "@/lib/antifraud/analysis";
import { finalStatusOf } from "@/lib/antifraud/feeding";
import { askAgain, concludeAnalysis, FEEDING, insertFeeding } from "@/lib/charges/engine/analyse";
import { driveCharge } from "@/lib/charges/engine/driver";
import { acquirerOf, withChargeLease } from "@/lib/charges/engine/with-lease";
import { isAnalysis, openAnalysis } from "@/lib/charges/history";
import { type Charge, getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { DomainError } from "@/lib/errors";
import { type AttemptRow, updateAttempt } from "@/lib/payments/attempts";
import { providerById } from "@/lib/payments/routing/provider";
import { addSeconds } from "@/lib/time";

type Verdict = "approved" | "reproved" | "failed";

/** An operator, or a sandbox client, ends a pending analysis (spec/contract.md 21.5). */
export async function resolveAnalysis(ctx: Context, chargeId: string, status: Verdict): Promise<Charge> {
  await inTransaction(ctx, (inside) => getCharge(inside, chargeId));
  await withChargeLease(ctx, chargeId, async (charge) => {
    const row = openAnalysis(charge);
    if (!row) throw new DomainError("invalid_status_transition", "no analysis of this charge is pending");
    if (isBusy(charge)) {
      throw new DomainError("charge_operation_in_progress", "an earlier operation of this charge is not settled", {
        retryAfterSeconds: BUSY_RETRY_SECONDS,
      });
    }
    await settle(ctx, charge, row, { status });
  });
  return inTransaction(ctx, (inside) => getCharge(inside, chargeId));
}

const BUSY_RETRY_SECONDS = 5;
const LOOK_AGAIN_SECONDS = 60;

/** One step of the query schedule of an analysis without a verdict. */
export async function analysisDue(ctx: Context, chargeId: string): Promise<void> {
  await withChargeLease(ctx, chargeId, async (charge) => {
    const row = openAnalysis(charge);
    if (!row) return;
    if (isBusy(charge)) {
      await inTransaction(ctx, (inside) =>
        schedule(inside, "analysis.query", chargeId, addSeconds(now(inside), LOOK_AGAIN_SECONDS)),
      );
      return;
    }
    const analyst = await inTransaction(ctx, (inside) => providerById(inside, row.providerId ?? ""));
    await settle(ctx, charge, row, await askAgain(ctx, charge, row, analyst));
  });
}

/** Tells the fraud provider how the payment that it analysed ended, and again when that changes. */
export async function feedDue(ctx: Context, chargeId: string): Promise<void> {
  const begun = await inTransaction(ctx, async (inside) => {
    const charge = await getCharge(inside, chargeId);
    const analysis = charge.attempts.find(isAnalysis);
    const status = finalStatusOf(charge.row.status);
    if (!analysis?.sentAt || !analysis.providerId || !status) return undefined;
    const analyst = await providerById(inside, analysis.providerId);
    if (!isFed(analyst)) return undefined;
    const known = charge.attempts.find(({ requestType }) => requestType === FEEDING);
    const isTold = known?.details?.told === status;
    if (isTold && known.state !== "sent") return undefined;
    const feeding = isTold ? known : await insertFeeding(inside, charge, analyst, status);
    return { charge, analysis, analyst, status, feeding };
  });
  if (!begun) return;
  const { charge, analysis, analyst, status, feeding } = begun;
  await feed(ctx, analyst, analysis, { chargeId, scenario: charge.row.scenario }, status);
  await inTransaction(ctx, (inside) =>
    updateAttempt(inside, feeding.id, { state: "approved", requestStatus: "success" }),
  );
}

/** A void of the hold, say, is under way: its end comes first. */
const isBusy = ({ row }: Charge): boolean => row.operation !== null && row.operation !== "authorize";

async function settle(ctx: Context, charge: Charge, row: AttemptRow, analysis: KeptAnalysis): Promise<void> {
  const [analyst, acquirer] = await inTransaction(ctx, async (inside) => [
    await providerById(inside, row.providerId ?? ""),
    await acquirerOf(inside, charge),
  ]);
  if (!analyst || !acquirer) throw new Error("an analysis without its providers");
  const applied = await concludeAnalysis(ctx, charge, row, acquirer, analysis, optionsOf(analyst));
  if (!applied.attempt) return;
  await driveCharge(ctx, { do: "send", charge: applied.charge, attempt: applied.attempt, provider: acquirer });
}
