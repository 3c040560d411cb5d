import { AsyncLocalStorage } from "node:async_hooks";
import {
  ROOT_CONTEXT,
  type SpanContext,
  type Context as SpanContextOf,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor, RandomIdGenerator } from "@opentelemetry/sdk-trace-base";
import { log } from "@/lib/log";
import { SPAN_FIELDS, type SpanFields, type SpanGiven, type Tracing } from "@/lib/tracing";

const SERVICE = "trilho";
const KINDS: Readonly<Record<SpanGiven["name"], SpanKind>> = {
  request: SpanKind.SERVER,
  attempt: SpanKind.INTERNAL,
  "provider call": SpanKind.CLIENT,
  "webhook delivery": SpanKind.CLIENT,
};

/** Sends spans where the variables of OpenTelemetry say (OTEL_EXPORTER_OTLP_*, OTEL_TRACES_SAMPLER). Imported only when they do. */
export function openTracing(role: "web" | "worker"): Tracing {
  const ids = idsOfRequests();
  const provider = new BasicTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come last.
    resource: resourceFromAttributes({ "service.name": SERVICE, "trilho.role": role }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer(SERVICE);
  const running = new AsyncLocalStorage<SpanContextOf>();

  const parentOf = async ({ of }: SpanGiven): Promise<SpanContextOf> => {
    const around = running.getStore();
    if (around) return around;
    const requestId = typeof of === "function" ? await of().catch(() => null) : of;
    const cause = requestId ? rootOf(requestId) : undefined;
    return cause ? trace.setSpanContext(ROOT_CONTEXT, cause) : ROOT_CONTEXT;
  };

  return {
    async span(given, work) {
      const root = given.is === undefined ? undefined : rootOf(given.is);
      const parent = root ? ROOT_CONTEXT : await parentOf(given);
      const options = { kind: KINDS[given.name], attributes: attributesOf(given.fields) };
      const span = ids.as(root, () => tracer.startSpan(given.name, options, parent));
      try {
        return await running.run(trace.setSpan(parent, span), () =>
          work((fields) => void span.setAttributes(attributesOf(fields))),
        );
      } catch (thrown) {
        // Its message may quote what a caller wrote.
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw thrown;
      } finally {
        span.end();
      }
    },
    stop: () =>
      provider
        .shutdown()
        .catch((error: unknown) => log.warn({ error, job: "tracing" }, "the last spans were not sent")),
  };
}

/** Whatever a type let through: only these names leave the process. */
const attributesOf = (fields: SpanFields): Record<string, string | number> =>
  Object.fromEntries(
    SPAN_FIELDS.flatMap((name) => {
      const value = fields[name];
      return value === undefined ? [] : [[`trilho.${name}`, value]];
    }),
  );

const SPAN_DIGITS = 16;

/** A request's digits are its trace, the second half of them its span: whoever knows the id joins it. */
function rootOf(requestId: string): SpanContext | undefined {
  const traceId = requestId.replaceAll("-", "");
  const spanId = traceId.slice(SPAN_DIGITS);
  return /^[0-9a-f]{32}$/.test(traceId) && /[1-9a-f]/.test(spanId)
    ? { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
    : undefined;
}

/** Random ids, but for a request's own. */
function idsOfRequests() {
  const random = new RandomIdGenerator();
  let own: SpanContext | undefined;
  return {
    generateTraceId: () => own?.traceId ?? random.generateTraceId(),
    generateSpanId: () => own?.spanId ?? random.generateSpanId(),
    /** A span begins at once, so nothing else asks for an id meanwhile. */
    as<T>(root: SpanContext | undefined, begin: () => T): T {
      own = root;
      try {
        return begin();
      } finally {
        own = undefined;
      }
    },
  };
}
