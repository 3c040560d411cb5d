import { env } from "@/lib/env";
import { setTracing, type Tracing } from "@/lib/tracing";

/** What stops it, when there is anybody to send spans to; otherwise nothing of it is even loaded. */
export async function startTracing(role: "web" | "worker"): Promise<Tracing["stop"]> {
  if (env().OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return async () => undefined;
  const { openTracing } = await import("@/lib/tracing-export");
  const tracing = openTracing(role);
  setTracing(tracing);
  return tracing.stop;
}
