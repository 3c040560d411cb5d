import { getLocale } from "next-intl/server";
import { paymentFilters } from "@/app/(dashboard)/dashboard/payments/filters";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { readPosition } from "@/lib/charges/list-position";
import { now } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import { countNewer } from "@/lib/search/payments";

/** How many payments of the list came since it was read. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  if (!may(member.role, "payments.see")) return new Response(null, { status: 404 });
  const { searchParams } = new URL(request.url);
  const since = readPosition(searchParams.get("since") ?? undefined);
  if (!since) return new Response(null, { status: 400 });
  const given = Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]));
  const filters = paymentFilters(given, saoPauloDay(now(member.ctx)), await getLocale());
  const count = await countNewer(member.ctx, member.role, filters, { at: new Date(since.at), id: since.id });
  return Response.json({ count }, { headers: { "cache-control": "no-store" } });
}
