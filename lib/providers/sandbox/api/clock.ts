import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { after } from "@/lib/providers/sandbox/api/duration";
import type { ClockInput } from "@/lib/providers/sandbox/api/schema";
import { type ClockAnswer, moveClock } from "@/lib/scheduler/clock";

/** The account's clock goes on by a duration, or to an instant; answered when everything on the way has run. */
export async function setTestClock(
  ctx: Context,
  { advance, to, freeze }: ClockInput,
): Promise<ClockAnswer & { jobsRun: number }> {
  const moved = await moveClock(ctx, {
    to: (present) => (advance ? after(present, advance) : (to ?? present)),
    freeze,
  });
  await inTransaction(ctx, (inside) =>
    audit(inside, {
      action: "sandbox.clock",
      object: "account",
      objectId: ctx.account.id,
      after: { now: moved.now.toISOString(), frozen: moved.frozen, jobsRun: moved.jobsRun },
    }),
  );
  return moved;
}
