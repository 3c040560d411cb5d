import { getFormatter } from "next-intl/server";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { may } from "@/lib/operators/permissions";
import { readClock } from "@/lib/scheduler/clock";

/** Where the test clock stands, also on its way. */
export async function GET(): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "sandbox.control") || ctx.account.mode !== "sandbox") return new Response(null, { status: 404 });
  const format = await getFormatter();
  const text = format.dateTime(readClock(ctx.account).now, { dateStyle: "medium", timeStyle: "medium" });
  return Response.json({ text }, { headers: { "cache-control": "no-store" } });
}
