import { type KeptAnalysis, optionsOf } from "@/lib/antifraud/analysis";
import { conclude } from "@/lib/charges/engine/analyse";
import { driveCharge } from "@/lib/charges/engine/driver";
import { acquirerOf, withChargeLease } from "@/lib/charges/engine/with-lease";
import { openAnalysis } from "@/lib/charges/history";
import { type Charge, getCharge } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import { schedule } from "@/lib/due-jobs/schedule";
import { DomainError } from "@/lib/errors";
import type { AttemptRow } from "@/lib/payments/attempts";
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

/** A pending analysis whose verdict was known beforehand: its time has come. */
export async function verdictDue(ctx: Context, chargeId: string): Promise<void> {
  await withChargeLease(ctx, chargeId, async (charge) => {
    const row = openAnalysis(charge);
    const verdict = row && resolutionOf(row);
    if (!row || !verdict) return;
    if (isBusy(charge)) {
      await inTransaction(ctx, (inside) =>
        schedule(inside, "antifraud.verdict", chargeId, addSeconds(now(inside), LOOK_AGAIN_SECONDS)),
      );
      return;
    }
    await settle(ctx, charge, row, { status: verdict });
  });
}

/** A void of the hold, say, is under way: its end comes first. */
const isBusy = ({ row }: Charge): boolean => row.operation !== null && row.operation !== "authorize";

const VERDICTS: readonly Verdict[] = ["approved", "reproved", "failed"];

function resolutionOf({ details }: AttemptRow): Verdict | undefined {
  const resolves = details?.resolves;
  if (typeof resolves !== "object" || resolves === null || !("status" in resolves)) return undefined;
  return VERDICTS.find((verdict) => verdict === resolves.status);
}

async function settle(ctx: Context, charge: Charge, row: AttemptRow, analysis: KeptAnalysis): Promise<void> {
  const [analyst, acquirer] = await inTransaction(ctx, async (inside) => [
    await providerById(inside, row.providerId ?? ""),
    await acquirerOf(inside, charge),
  ]);
  if (!analyst || !acquirer) throw new Error("an analysis without its providers");
  const applied = await conclude(ctx, charge, row, acquirer, analysis, optionsOf(analyst));
  if (!applied.attempt) return;
  await driveCharge(ctx, { do: "send", charge: applied.charge, attempt: applied.attempt, provider: acquirer });
}
