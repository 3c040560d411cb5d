import { noteReports, readReports } from "@/lib/checkout/policy-reports";

const MOST_BYTES = 16_384;

/** Where browsers tell what the policy of a checkout page kept from running. Nobody learns anything from the answer. */
export async function POST(request: Request): Promise<Response> {
  const length = Number(request.headers.get("content-length") ?? 0);
  if (length <= MOST_BYTES) noteReports(readReports((await request.text()).slice(0, MOST_BYTES)));
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}
