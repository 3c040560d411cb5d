import type { Context } from "@/lib/context";
import type { AttemptRow } from "@/lib/payments/attempts";
import { hintsFor, providerCall, shortCallMs } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { AnalysisCall, AnalysisStatus, FinalStatus, FraudVerdict, Suspect } from "@/lib/providers/antifraud";
import type { AntifraudOptions } from "@/lib/providers/options";
import { antifraudFor } from "@/lib/providers/registry";

/** Where an analysis stands, as it is kept: `pending` also while nobody knows whether it was answered. */
export interface KeptAnalysis {
  status: AnalysisStatus;
  score?: number | undefined;
  failure?: "timeout" | "processing_error" | undefined;
  /** No answer came: why, and whether the call provably never left. */
  unknown?: { cause: string; isUnsent: boolean } | undefined;
  /** When the provider expects to be done. */
  nextEventAt?: string | undefined;
}

export const optionsOf = (analyst: RoutedProvider): AntifraudOptions =>
  // Guarantee: options of an anti-fraud kind are stored complete, with their defaults (lib/providers/options).
  analyst.options as unknown as AntifraudOptions;

interface Subject {
  chargeId: string;
  scenario: string | null;
}

/** Sends an analysis whose row is committed. */
export const analyse = async (
  ctx: Context,
  analyst: RoutedProvider,
  row: AttemptRow,
  subject: Subject,
  suspect: Suspect,
): Promise<KeptAnalysis> => kept(await antifraudFor(analyst.kind).analyse(callOf(ctx, analyst, row, subject), suspect));

/** Asks what became of it; `not_found` when it never arrived. */
export async function queryAnalysis(
  ctx: Context,
  analyst: RoutedProvider,
  row: AttemptRow,
  subject: Subject,
): Promise<KeptAnalysis | "not_found"> {
  const verdict = await antifraudFor(analyst.kind).query(callOf(ctx, analyst, row, subject));
  return verdict.kind === "not_found" ? "not_found" : kept(verdict);
}

/** Tells a fraud provider that learns how the payment ended. */
export async function feed(
  ctx: Context,
  analyst: RoutedProvider,
  row: AttemptRow,
  subject: Subject,
  status: FinalStatus,
): Promise<void> {
  await antifraudFor(analyst.kind).feed?.(callOf(ctx, analyst, row, subject), status);
}

export const isFed = ({ kind }: RoutedProvider): boolean => antifraudFor(kind).feed !== undefined;

function callOf(ctx: Context, analyst: RoutedProvider, row: AttemptRow, subject: Subject): AnalysisCall {
  return {
    ...providerCall(ctx, analyst, shortCallMs(), { attemptId: row.id }),
    ...hintsFor(ctx, analyst, subject),
    reference: row.reference,
    chargeId: subject.chargeId,
  };
}

function kept(verdict: FraudVerdict): KeptAnalysis {
  switch (verdict.kind) {
    case "undetermined":
      return { status: "pending", unknown: { cause: verdict.cause, isUnsent: false } };
    case "not_sent":
      return { status: "pending", unknown: { cause: verdict.cause, isUnsent: true } };
    default:
      return {
        status: verdict.kind,
        score: verdict.score,
        failure: verdict.failure,
        nextEventAt: verdict.nextEventAt,
      };
  }
}
