import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { log } from "@/lib/log";
import { CLOCK_BEGUN, CLOCK_MOVED } from "@/lib/providers/sandbox/api/clock-moves";
import { after } from "@/lib/providers/sandbox/api/duration";
import type { ClockInput } from "@/lib/providers/sandbox/api/schema";
import { type ClockAnswer, moveClock } from "@/lib/scheduler/clock";
import { pause } from "@/lib/wait";

/**
 * The account's clock goes on by a duration, or to an instant; answered when everything on the way has run. A move that
 * goes on is in the audit log before its first job: whoever looks meanwhile is told where it leads.
 */
export async function setTestClock(
  ctx: Context,
  { advance, to, freeze }: ClockInput,
): Promise<ClockAnswer & { jobsRun: number }> {
  const { kindsRun, ...moved } = await moveClock(ctx, {
    to: (present) => (advance ? after(present, advance) : (to ?? present)),
    freeze,
    onBegin: (from, end) => write(ctx, CLOCK_BEGUN, { now: end.toISOString() }, { now: from.toISOString() }),
  });
  const { now, frozen, jobsRun } = moved;
  await write(ctx, CLOCK_MOVED, { now: now.toISOString(), frozen, jobsRun, kindsRun });
  return moved;
}

const write = (
  ctx: Context,
  action: string,
  to: Record<string, unknown>,
  before?: Record<string, unknown>,
): Promise<void> =>
  inTransaction(ctx, (inside) =>
    audit(inside, {
      action,
      object: "account",
      objectId: ctx.account.id,
      after: to,
      ...(before ? { before } : {}),
    }),
  );

/** Within it a short move has ended, and the page shows at once what it came to. */
const SHORT_MS = 1_500;

/** For pages: a long move goes on by itself, whatever becomes of the browser; `lastMove` tells how far it has come. */
export async function beginTestClock(ctx: Context, input: ClockInput): Promise<void> {
  const moving = setTestClock(ctx, input);
  moving.catch((error: unknown) => log.error({ clientId: ctx.account.id, error }, "the test clock was not moved"));
  await Promise.race([moving, pause(SHORT_MS)]);
}
