import type { Context } from "@/lib/context";
import { hintsFor, providerCall, shortCallMs } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { MandateCall, MandateRef } from "@/lib/providers/mandates";

/** A call about a mandate at a provider, its row committed before. */
export const mandateCall = (ctx: Context, provider: RoutedProvider, ref: MandateRef): MandateCall => ({
  ...providerCall(ctx, provider, shortCallMs(), { mandateId: ref.reference }),
  ...hintsFor(ctx, provider, { scenario: ctx.scenario ?? null }),
  ref,
});
