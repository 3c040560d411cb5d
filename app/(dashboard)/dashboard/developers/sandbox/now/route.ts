import { getFormatter } from "next-intl/server";
import { progressOf } from "@/app/(dashboard)/dashboard/developers/sandbox/move";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import type { ClockReading } from "@/components/dashboard/live-clock";
import { may } from "@/lib/operators/permissions";
import { lastMove } from "@/lib/providers/sandbox/api/clock-moves";
import { readClock } from "@/lib/scheduler/clock";

/** Where the test clock stands, also on its way. */
export async function GET(): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "sandbox.control") || ctx.account.mode !== "sandbox") return new Response(null, { status: 404 });
  const [format, move] = await Promise.all([getFormatter(), lastMove(ctx)]);
  const reading: ClockReading = {
    text: format.dateTime(readClock(ctx.account).now, { dateStyle: "medium", timeStyle: "medium" }),
    progress: move?.state === "moving" ? await progressOf(ctx, move) : null,
  };
  return Response.json(reading, { headers: { "cache-control": "no-store" } });
}
