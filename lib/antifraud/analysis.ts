import { type Context, now } from "@/lib/context";
import { hintsFor } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { Analysis, AnalysisInput } from "@/lib/providers/antifraud";
import type { AntifraudOptions } from "@/lib/providers/options";
import { DEFAULT_DELAY_SECONDS } from "@/lib/providers/options";
import { antifraudFor } from "@/lib/providers/registry";
import { addSeconds } from "@/lib/time";

/** What an analyst is shown of a payment. */
export interface Suspect {
  chargeId: string;
  amount: number;
  /** `fraudAnalysis` as sent. */
  fraudAnalysis: Record<string, unknown> | null;
  buyerDocument: string | undefined;
  card: AnalysisInput["card"];
  scenario: string | null;
}

/** An analysis as it is kept: a pending one may know already how and when it ends. */
export interface KeptAnalysis {
  status: Analysis["status"];
  score?: number | undefined;
  failure?: "timeout" | "processing_error" | undefined;
  resolves?: { at: string; status: "approved" | "reproved" | "failed" } | undefined;
}

export const optionsOf = (analyst: RoutedProvider): AntifraudOptions =>
  // Guarantee: options of an anti-fraud kind are stored complete, with their defaults (lib/providers/options).
  analyst.options as unknown as AntifraudOptions;

/** Asks the analyst; an asynchronous product gives its verdict a while after the hold. */
export async function analyse(ctx: Context, analyst: RoutedProvider, suspect: Suspect): Promise<KeptAnalysis> {
  const identity = identityOf(suspect.fraudAnalysis);
  const given = await antifraudFor(analyst.kind).analyse(
    {
      clientId: ctx.account.id,
      providerId: analyst.id,
      chargeId: suspect.chargeId,
      options: analyst.options,
      clock: { now: () => now(ctx) },
      ...hintsFor(ctx, analyst, { chargeId: suspect.chargeId, scenario: suspect.scenario }),
    },
    {
      chargeId: suspect.chargeId,
      amount: suspect.amount,
      ...(identity === undefined ? {} : { identity }),
      ...(suspect.buyerDocument === undefined ? {} : { buyerDocument: suspect.buyerDocument }),
      card: suspect.card,
    },
  );
  const { productType } = optionsOf(analyst);
  if (productType === "SYNC" || given.status === "pending") return given;
  const at = addSeconds(now(ctx), DEFAULT_DELAY_SECONDS).toISOString();
  return { status: "pending", resolves: { at, status: given.status } };
}

function identityOf(fraudAnalysis: Record<string, unknown> | null): string | undefined {
  const customer = fraudAnalysis?.customer;
  if (typeof customer !== "object" || customer === null || !("identity" in customer)) return undefined;
  return typeof customer.identity === "string" ? customer.identity : undefined;
}
