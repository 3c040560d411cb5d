import { orderView } from "@/lib/checkout/payment-view";
import { planView } from "@/lib/checkout/plan";
import type { OrderView, PlanView } from "@/lib/checkout/view";
import type { SessionRow } from "@/lib/sessions/state";

/** What a link is about: whoever has its address may read it, whatever became of the link. */
export interface About {
  readonly order: OrderView;
  /** Null for what is paid once. */
  readonly plan: PlanView | null;
}

export const aboutOf = (session: SessionRow, at: Date): About => ({
  order: orderView(session),
  plan: planView(session, at),
});
