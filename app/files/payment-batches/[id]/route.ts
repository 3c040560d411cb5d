import { fileHeaders } from "@/app/files/reports/reply";
import { isUuid } from "@/lib/ids";
import { openLinkedBatch } from "@/lib/payouts/batch-file";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The link of a payout: its lines, without a key. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  const query = new URL(request.url).searchParams;
  const [until, token] = [query.get("until") ?? "", query.get("token") ?? ""];
  const csv = isUuid(id) && DAY.test(until) ? await openLinkedBatch(id, until, token) : undefined;
  if (csv === undefined)
    return new Response(null, {
      status: 404,
      headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" },
    });
  return new Response(csv, { headers: { ...fileHeaders(`${id}.csv`), "content-type": "text/csv; charset=utf-8" } });
}
