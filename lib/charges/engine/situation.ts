import type { Situation } from "@/lib/charges/engine/decision";
import { mayReplayAuthorization } from "@/lib/charges/engine/replay";
import type { Charge } from "@/lib/charges/queries";
import { type Context, now } from "@/lib/context";
import type { AttemptRow } from "@/lib/payments/attempts";
import { isReviewDue, nextQueryAt } from "@/lib/payments/query-schedule";
import type { RoutedProvider } from "@/lib/payments/routing/provider";

export function situationOf(
  ctx: Context,
  charge: Charge,
  attempt: AttemptRow,
  alternative: RoutedProvider | undefined,
): Situation {
  const at = now(ctx);
  return {
    charge,
    attempt,
    now: at,
    alternative,
    nextQuery: nextQueryAt(attempt.id, attempt.queries, at),
    keepsCvv: mayReplayAuthorization(attempt.providerType),
    isReviewDue: isReviewDue(attempt.queries),
  };
}
