import { type Context, now } from "@/lib/context";
import { offsetOf, type Page, type Paged } from "@/lib/http/pagination";
import { listCalls, type SandboxCall } from "@/lib/providers/sandbox/calls";
import { type DayTotals, dayTotals } from "@/lib/providers/sandbox/settlement";
import { transferredOn } from "@/lib/providers/sandbox/transfers";

/** Another account's charge has no calls here: what is asked is answered from the caller's rows alone. */
export async function pageOfCalls(ctx: Context, page: Page & { chargeId: string }): Promise<Paged<SandboxCall>> {
  const { items, total } = await listCalls(ctx.account.id, page.chargeId, {
    limit: page.limit,
    offset: offsetOf(page),
  });
  return { items, totalItems: total };
}

export const totalsOfDay = async (ctx: Context, date: string): Promise<DayTotals & { transferred: number }> => {
  return {
    ...(await dayTotals(ctx.account.id, date, now(ctx))),
    transferred: await transferredOn(ctx.account.id, date, now(ctx)),
  };
};
