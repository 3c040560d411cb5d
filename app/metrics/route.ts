import { createHash, timingSafeEqual } from "node:crypto";
import { env } from "@/lib/env";
import { metricsText } from "@/lib/invariants/metrics";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Prometheus text for whoever has METRICS_TOKEN; without one configured there is no such page. */
export async function GET(request: Request): Promise<Response> {
  const { METRICS_TOKEN } = env();
  if (METRICS_TOKEN === undefined) return new Response("not found\n", { status: 404 });
  const given = request.headers.get("authorization") ?? "";
  if (!timingSafeEqual(digest(given), digest(`Bearer ${METRICS_TOKEN}`))) {
    return new Response("unauthorized\n", { status: 401, headers: { "www-authenticate": "Bearer" } });
  }
  const { contentType, body } = await metricsText();
  return new Response(body, { headers: { "content-type": contentType, "cache-control": "no-store" } });
}
