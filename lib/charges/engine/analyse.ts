import { and, eq } from "drizzle-orm";
import { transactionRequests } from "@/db/schema/charges";
import { analyse, type KeptAnalysis, optionsOf, type Suspect } from "@/lib/antifraud/analysis";
import { consequenceOf } from "@/lib/antifraud/verdict";
import { type Applied, afterNewest, apply } from "@/lib/charges/engine/apply";
import { SAFETY_SECONDS } from "@/lib/charges/engine/authorize";
import { type CardMaterial, cardSecret, payerOf } from "@/lib/charges/engine/card-material";
import { type Decision, decision, ENDED, type ProviderError } from "@/lib/charges/engine/decision";
import { deleteAnsweredCvv } from "@/lib/charges/engine/replay";
import { isAnalysis } from "@/lib/charges/history";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import { type Context, inTransaction, now } from "@/lib/context";
import { derivedId } from "@/lib/ids";
import type { AttemptRow } from "@/lib/payments/attempts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { AntifraudOptions } from "@/lib/providers/options";
import { addSeconds } from "@/lib/time";

/** Asks the analyst and does what the verdict asks for; the attempt that follows is committed, not sent. */
export async function judge(
  ctx: Context,
  charge: Charge,
  acquirer: RoutedProvider,
  material: CardMaterial,
): Promise<Applied> {
  const { analyst } = charge;
  if (!analyst) throw new Error("a charge is judged by its analyst");
  const known = charge.attempts.find(isAnalysis);
  const row = known ?? (await inTransaction(ctx, (inside) => insertAnalysis(inside, charge, analyst)));
  const judged = known ? charge : { ...charge, attempts: [row, ...charge.attempts] };
  const analysis = await analyse(ctx, analyst, await suspectOf(ctx, charge, material));
  return conclude(ctx, judged, row, acquirer, analysis, optionsOf(analyst));
}

/** Does what a verdict asks for, however it came: at once, by an operator, or when its time had come. */
export async function conclude(
  ctx: Context,
  charge: Charge,
  row: AttemptRow,
  acquirer: RoutedProvider,
  analysis: KeptAnalysis,
  options: AntifraudOptions,
): Promise<Applied> {
  const decided = onAnalysis(charge, row, acquirer, analysis, options);
  const applied = await apply(ctx, charge, row, acquirer, decided, undefined);
  await deleteAnsweredCvv(ctx, charge, decided);
  return applied;
}

/** The intention to analyse is a row of its own; the same charge never gets a second one. */
export async function insertAnalysis(
  ctx: Context,
  { row, attempts }: Charge,
  analyst: RoutedProvider,
): Promise<AttemptRow> {
  const id = derivedId("analysis", row.id);
  const at = afterNewest(attempts, now(ctx));
  await ctx.db
    .insert(transactionRequests)
    .values({
      id,
      clientId: ctx.account.id,
      chargeId: row.id,
      kind: "notice",
      state: "sent",
      sequence: 1,
      providerId: analyst.id,
      providerType: analyst.kind,
      reference: id,
      requestType: "anti_fraud",
      requestStatus: "running",
      amount: row.amount,
      details: { fraudAnalysis: { status: "pending" } },
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing();
  const [kept] = await ctx.db
    .select()
    .from(transactionRequests)
    .where(and(eq(transactionRequests.clientId, ctx.account.id), eq(transactionRequests.id, id)));
  if (!kept) throw new Error("an analysis was not written");
  return kept;
}

const BIN_DIGITS = 8;
const LAST_DIGITS = 4;

async function suspectOf(ctx: Context, { row }: Charge, material: CardMaterial): Promise<Suspect> {
  const card = material.card ?? (await cardSecret(ctx, row, material));
  const payer = material.payer ?? (await payerOf(ctx, row));
  return {
    chargeId: row.id,
    amount: row.amount,
    fraudAnalysis: row.fraudAnalysis,
    buyerDocument: payer.document?.number,
    card: { brand: card.brand, bin: card.pan.slice(0, BIN_DIGITS), last4: card.pan.slice(-LAST_DIGITS) },
    scenario: row.scenario,
  };
}

const REFUSALS: Partial<Record<KeptAnalysis["status"], (analysis: KeptAnalysis) => ProviderError>> = {
  reproved: () => refusal("reproved by the anti-fraud analysis", "fraud_suspect"),
  failed: ({ failure }) => refusal("the anti-fraud analysis failed", failure ?? "processing_error"),
};

const refusal = (message: string, declinedCode: string): ProviderError => ({
  message,
  declinedCode,
  retryable: false,
  networkDeniedReason: null,
  networkDeniedMessage: null,
});

const REQUEST_STATUS = { pending: "processing", approved: "success", reproved: "failed" } as const;

function answered(analysis: KeptAnalysis): Decision["attempt"] {
  const { status, score, failure, resolves } = analysis;
  const failed = failure === "timeout" ? "timeout" : "internal_error";
  return {
    state: status === "pending" ? "sent" : status === "approved" ? "approved" : "declined",
    requestStatus: status === "failed" ? failed : REQUEST_STATUS[status],
    requestStatusReason: failure ?? null,
    providerError: REFUSALS[status]?.(analysis) ?? null,
    details: {
      fraudAnalysis: { status, ...(score === undefined ? {} : { score }) },
      ...(resolves ? { resolves } : {}),
    },
  };
}

function onAnalysis(
  { row, attempts }: Charge,
  analysisRow: AttemptRow,
  acquirer: RoutedProvider,
  analysis: KeptAnalysis,
  options: AntifraudOptions,
): Decision {
  const attempt = answered(analysis);
  const jobs: Decision["jobs"] = [
    { kind: "antifraud.verdict", at: analysis.resolves ? new Date(analysis.resolves.at) : null },
  ];
  const base = decision({ attempt, jobs });
  // The hold was released or ran out in the meantime: the verdict is noted and moves nothing.
  if (row.status !== "pending" && row.status !== "pre_authorized") return base;
  const isHeld = attempts.some(({ kind, state }) => kind === "authorize" && state === "approved");
  switch (consequenceOf(analysis.status, options, { asksCapture: row.capture, isHeld })) {
    case "hold":
      return { ...base, ...held(row, jobs) };
    case "capture":
      return { ...base, ...operation(row, "capture") };
    case "void":
      return { ...base, ...operation(row, "void") };
    case "charge":
      return { ...base, next: { do: "attempt", kind: "authorize", amount: analysisRow.amount, provider: acquirer } };
    case "refuse":
      return { ...base, fact: "authorize.refused", charge: { ...ENDED }, events: ["failed"], deletesCvv: true };
    case "wait":
      return { ...base, events: row.eventVersion === 0 ? ["pending"] : [] };
  }
}

function held(row: ChargeRow, jobs: Decision["jobs"]): Partial<Decision> {
  if (row.status === "pre_authorized") return {};
  return {
    fact: "authorize.approved",
    charge: { ...ENDED },
    events: ["pre_authorized"],
    jobs: row.expiresAt
      ? [...jobs, { kind: "charge.hold_ends", at: addSeconds(row.expiresAt, -SAFETY_SECONDS) }]
      : jobs,
  };
}

const operation = (row: ChargeRow, kind: "capture" | "void"): Partial<Decision> => ({
  charge: { operation: kind, operationAmount: row.amount, operationBy: "system", operationFrom: row.status },
  next: { do: "attempt", kind, amount: row.amount, ...(row.providerTxId ? { transactionId: row.providerTxId } : {}) },
});
