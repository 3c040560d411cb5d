import { and, eq } from "drizzle-orm";
import { transactionRequests } from "@/db/schema/charges";
import { insertReturning } from "@/db/statements";
import { analyse, type KeptAnalysis, optionsOf, queryAnalysis } from "@/lib/antifraud/analysis";
import { deadlineOf, nextAnalysisQueryAt, type OpenAnalysis } from "@/lib/antifraud/schedule";
import { consequenceOf } from "@/lib/antifraud/verdict";
import { type Applied, apply } from "@/lib/charges/engine/apply";
import { type CardMaterial, cardSecret, payerOf } from "@/lib/charges/engine/card-material";
import { type Decision, decision, ENDED, type ProviderError } from "@/lib/charges/engine/decision";
import { deleteAnsweredCvv } from "@/lib/charges/engine/replay";
import { isAnalysis } from "@/lib/charges/history";
import { SAFETY_SECONDS } from "@/lib/charges/holds";
import type { Charge, ChargeRow } from "@/lib/charges/queries";
import { afterNewest } from "@/lib/charges/writers/history";
import { buyerIpOf, type Context, inTransaction, now } from "@/lib/context";
import { derivedId } from "@/lib/ids";
import { type AttemptRow, updateAttempt } from "@/lib/payments/attempts";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { FinalStatus, Suspect } from "@/lib/providers/antifraud";
import type { AntifraudOptions } from "@/lib/providers/options";
import { addSeconds } from "@/lib/time";
import { CardGone } from "@/lib/vault/cards";

/** Asks the analyst and does what the verdict asks for; the attempt that follows is committed, not sent. */
export async function analyseFraud(
  ctx: Context,
  charge: Charge,
  acquirer: RoutedProvider,
  material: CardMaterial,
): Promise<Applied> {
  const { analyst } = charge;
  if (!analyst) throw new Error("a charge is judged by its analyst");
  const known = charge.attempts.find(isAnalysis);
  // A step that runs again meets its own row: what was sent once is asked about.
  if (known?.sentAt) {
    return concludeAnalysis(
      ctx,
      charge,
      known,
      acquirer,
      await askAgain(ctx, charge, known, analyst),
      optionsOf(analyst),
    );
  }
  const row = await inTransaction(ctx, (inside) =>
    known ? updateAttempt(inside, known.id, { sentAt: now(inside) }) : insertAnalysis(inside, charge, analyst, "sent"),
  );
  const others = charge.attempts.filter(({ id }) => id !== row.id);
  const analysis = await send(ctx, charge, row, analyst, material);
  return concludeAnalysis(ctx, { ...charge, attempts: [row, ...others] }, row, acquirer, analysis, optionsOf(analyst));
}

/** Asks what became of an analysis; one that never arrived moves no money and is sent again under its reference. */
export async function askAgain(
  ctx: Context,
  charge: Charge,
  row: AttemptRow,
  analyst: RoutedProvider,
): Promise<KeptAnalysis> {
  const found =
    row.details?.isUnsent === true ? "not_found" : await queryAnalysis(ctx, analyst, row, subjectOf(charge));
  if (found !== "not_found") return found;
  return send(ctx, charge, row, analyst, {}).catch((thrown: unknown): KeptAnalysis => {
    if (!(thrown instanceof CardGone)) throw thrown;
    // Its buyer had the card deleted: nothing can be sent, and the deadline decides.
    return { status: "pending", unknown: { cause: "card_deleted", isUnsent: true } };
  });
}

const send = async (
  ctx: Context,
  charge: Charge,
  row: AttemptRow,
  analyst: RoutedProvider,
  material: CardMaterial,
): Promise<KeptAnalysis> => analyse(ctx, analyst, row, subjectOf(charge), await suspectOf(ctx, charge, material));

const subjectOf = ({ row }: Charge) => ({ chargeId: row.id, scenario: row.scenario });

/** Does what a verdict asks for, however it came: at once, by an operator, or when its time had come. */
export async function concludeAnalysis(
  ctx: Context,
  charge: Charge,
  row: AttemptRow,
  acquirer: RoutedProvider,
  analysis: KeptAnalysis,
  options: AntifraudOptions,
): Promise<Applied> {
  const decided = onAnalysis(
    charge,
    row,
    acquirer,
    inTime(charge, row, analysis, options, now(ctx)),
    options,
    now(ctx),
  );
  const applied = await apply(ctx, charge, row, acquirer, decided, undefined);
  await deleteAnsweredCvv(ctx, charge, decided);
  return applied;
}

/** The intention to analyse is a row of its own; the same charge never gets a second one. */
export async function insertAnalysis(
  ctx: Context,
  { row, attempts }: Charge,
  analyst: RoutedProvider,
  is: "planned" | "sent",
): Promise<AttemptRow> {
  const sequence = 1;
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
      sequence,
      providerId: analyst.id,
      providerType: analyst.kind,
      reference: `${row.id}-${sequence}`,
      requestType: "anti_fraud",
      requestStatus: "running",
      amount: row.amount,
      details: { fraudAnalysis: { status: "pending" } },
      sentAt: is === "sent" ? at : null,
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

export const FEEDING = "anti_fraud_feeding";

/** What a fraud provider is told is an attempt as well: its row comes first. */
export async function insertFeeding(
  ctx: Context,
  { row, attempts }: Charge,
  analyst: RoutedProvider,
  told: FinalStatus,
): Promise<AttemptRow> {
  const sequence = attempts.filter(({ requestType }) => requestType === FEEDING).length + 1;
  const id = derivedId("feeding", row.id, sequence);
  const at = afterNewest(attempts, now(ctx));
  const [feeding] = await insertReturning(ctx.db, transactionRequests, [
    {
      id,
      clientId: ctx.account.id,
      chargeId: row.id,
      kind: "notice",
      state: "sent",
      sequence,
      providerId: analyst.id,
      providerType: analyst.kind,
      reference: id,
      requestType: FEEDING,
      requestStatus: "running",
      amount: row.amount,
      details: { told },
      sentAt: at,
      createdAt: at,
      updatedAt: at,
    },
  ]);
  if (!feeding) throw new Error("a feeding was not written");
  return feeding;
}

const BIN_DIGITS = 8;
const LAST_DIGITS = 4;

async function suspectOf(ctx: Context, charge: Charge, material: CardMaterial): Promise<Suspect> {
  const { row } = charge;
  const card = material.card ?? (await cardSecret(ctx, charge));
  const payer = material.payer ?? (await payerOf(ctx, charge));
  const { pan, brand, holderName } = card;
  const ip = buyerIpOf(ctx);
  return {
    amount: row.amount,
    installments: row.installments ?? 1,
    fraudAnalysis: row.fraudAnalysis ?? {},
    buyer: {
      ...(payer.name ? { name: payer.name } : {}),
      ...(payer.email ? { email: payer.email } : {}),
      ...(payer.phone ? { phone: payer.phone } : {}),
    },
    ...(payer.document ? { buyerDocument: payer.document.number } : {}),
    card: { brand, bin: pan.slice(0, BIN_DIGITS), last4: pan.slice(-LAST_DIGITS), holderName },
    ...(ip === undefined ? {} : { ip }),
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

/** A verdict that did not come in time is a failure; what the provider says later is not asked for. */
function inTime(
  charge: Charge,
  row: AttemptRow,
  analysis: KeptAnalysis,
  options: AntifraudOptions,
  at: Date,
): KeptAnalysis {
  const isOver = analysis.status === "pending" && at >= deadlineOf(openOf(charge, row, analysis, options));
  return isOver ? { status: "failed", failure: "timeout" } : analysis;
}

const openOf = (
  { row: { expiresAt } }: Charge,
  { sentAt, createdAt, details }: AttemptRow,
  { unknown, nextEventAt }: KeptAnalysis,
  { productType }: AntifraudOptions,
): OpenAnalysis => ({
  sentAt: sentAt ?? createdAt,
  productType,
  isUnknown: unknown !== undefined && details?.isAnswered !== true,
  voidedAt: expiresAt ? addSeconds(expiresAt, -SAFETY_SECONDS) : undefined,
  nextEventAt: nextEventAt === undefined ? undefined : new Date(nextEventAt),
});

function answered({ details }: AttemptRow, analysis: KeptAnalysis): Decision["attempt"] {
  const { status, score, failure, unknown } = analysis;
  const failed = failure === "timeout" ? "timeout" : "internal_error";
  return {
    state: status === "pending" ? "sent" : status === "approved" ? "approved" : "declined",
    requestStatus: status === "failed" ? failed : REQUEST_STATUS[status],
    requestStatusReason: failure ?? unknown?.cause ?? null,
    providerError: REFUSALS[status]?.(analysis) ?? null,
    details: {
      fraudAnalysis: { status, ...(score === undefined ? {} : { score }) },
      ...(unknown?.isUnsent ? { isUnsent: true } : {}),
      ...(details?.isAnswered === true || !unknown ? { isAnswered: true } : {}),
    },
  };
}

function onAnalysis(
  charge: Charge,
  analysisRow: AttemptRow,
  acquirer: RoutedProvider,
  analysis: KeptAnalysis,
  options: AntifraudOptions,
  at: Date,
): Decision {
  const { row, attempts } = charge;
  const attempt = answered(analysisRow, analysis);
  const isOpen = analysis.status === "pending";
  const nextQuery = isOpen ? nextAnalysisQueryAt(openOf(charge, analysisRow, analysis, options), at) : null;
  const jobs: Decision["jobs"] = [{ kind: "analysis.query", at: nextQuery }];
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
