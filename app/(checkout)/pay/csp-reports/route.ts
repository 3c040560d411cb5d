import { readReports, takeReports } from "@/lib/checkout/policy-reports";

/** Where browsers tell what the policy of a checkout page kept from running. Nobody learns anything from the answer. */
export async function POST(request: Request): Promise<Response> {
  await takeReports(readReports(await request.text()));
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}
