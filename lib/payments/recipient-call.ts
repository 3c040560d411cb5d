import type { Context } from "@/lib/context";
import { hintsFor, providerCall, shortCallMs } from "@/lib/payments/call";
import type { RoutedProvider } from "@/lib/payments/routing/provider";
import type { RecipientCall, RecipientRef } from "@/lib/providers/recipients";

interface Subject {
  merchantId: string;
  scenario?: string | null;
}

/** A call about a seller at a provider, its attempt committed before. */
export function recipientCall(
  ctx: Context,
  provider: RoutedProvider,
  ref: RecipientRef,
  { merchantId, scenario = null }: Subject,
): RecipientCall {
  const { simulation } = hintsFor(ctx, provider, { scenario });
  return {
    ...providerCall(ctx, provider, shortCallMs(), { attemptId: ref.attemptId }),
    ...(simulation ? { simulation: { ...simulation, merchantId } } : {}),
    ref,
  };
}
