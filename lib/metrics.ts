import { AggregatorRegistry, Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { askSiblings } from "@/lib/siblings";

/** What this process counts as it works. Labels are patterns and words of tables, never what a caller wrote. */
interface Meters {
  readonly registry: Registry;
  readonly requests: Counter<"method" | "route" | "status">;
  readonly requestSeconds: Histogram<"method" | "route">;
  readonly providerCalls: Counter<"kind" | "operation" | "outcome">;
  readonly providerSeconds: Histogram<"kind" | "operation">;
  readonly webhookAttempts: Counter<"outcome">;
  readonly webhookSeconds: Histogram;
}

const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const CALL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 10, 15, 20];

/** What all web processes that share a port counted; a scrape reaches any of them. */
export async function countedByAll(): Promise<Registry> {
  const own = meters().registry;
  const others = await askSiblings("counts");
  if (others.length === 0) return own;
  // Guarantee: siblings are of the same program, and answer with what `onSiblingAsks` is given here.
  return AggregatorRegistry.aggregate([await own.getMetricsAsJSON(), ...(others as object[])]);
}

/** The server and the pages are two programs in one process. Guarantee: only this module writes the property. */
const holder = globalThis as typeof globalThis & { trilhoMeters?: Meters };

export function meters(): Meters {
  holder.trilhoMeters ??= create();
  return holder.trilhoMeters;
}

function create(): Meters {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: "trilho_requests_total",
      help: "Requests answered, by route pattern and status",
      labelNames: ["method", "route", "status"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "trilho_request_duration_seconds",
      help: "Time from a request to its answer",
      labelNames: ["method", "route"],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    providerCalls: new Counter({
      name: "trilho_provider_calls_total",
      help: "Calls of providers, by what is known after them",
      labelNames: ["kind", "operation", "outcome"],
      registers,
    }),
    providerSeconds: new Histogram({
      name: "trilho_provider_call_duration_seconds",
      help: "Time a call of a provider took",
      labelNames: ["kind", "operation"],
      buckets: CALL_BUCKETS,
      registers,
    }),
    webhookAttempts: new Counter({
      name: "trilho_webhook_attempts_total",
      help: "Attempts to deliver a webhook, by class of status or reason of failure",
      labelNames: ["outcome"],
      registers,
    }),
    webhookSeconds: new Histogram({
      name: "trilho_webhook_attempt_duration_seconds",
      help: "Time an attempt to deliver a webhook took",
      buckets: CALL_BUCKETS,
      registers,
    }),
  };
}

/** A request no route of the API took: pages, paths and methods that do not exist. */
export const PAGE = "page";
export const UNKNOWN = "unknown";

export function countRequest(method: string, route: string, status: number, durationMs: number): void {
  const { requests, requestSeconds } = meters();
  requests.inc({ method, route, status });
  requestSeconds.observe({ method, route }, durationMs / 1000);
}

export function countProviderCall(kind: string, operation: string, outcome: string, durationMs: number): void {
  const { providerCalls, providerSeconds } = meters();
  providerCalls.inc({ kind, operation, outcome });
  providerSeconds.observe({ kind, operation }, durationMs / 1000);
}

export function countWebhookAttempt(
  statusCode: number | undefined,
  error: string | undefined,
  durationMs: number,
): void {
  const { webhookAttempts, webhookSeconds } = meters();
  webhookAttempts.inc({ outcome: error ?? `${Math.floor((statusCode ?? 0) / 100)}xx` });
  webhookSeconds.observe(durationMs / 1000);
}
