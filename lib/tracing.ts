/** All that a span may carry: ids, kinds, outcomes, patterns of routes. What a caller wrote never is. */
export const SPAN_FIELDS = [
  "requestId",
  "clientId",
  "chargeId",
  "attemptId",
  "providerId",
  "eventId",
  "deliveryId",
  "webhookId",
  "method",
  "route",
  "status",
  "kind",
  "operation",
  "outcome",
] as const;
export type SpanFields = Partial<Record<(typeof SPAN_FIELDS)[number], string | number>>;

export interface SpanGiven {
  name: "request" | "attempt" | "provider call" | "webhook delivery";
  fields: SpanFields;
  /** Of the request that this span is: its digits are the trace. */
  is?: string;
  /**
   * Outside a request: the id of the one that caused this, hours ago and in another process perhaps. A function is only
   * asked when somebody looks.
   */
  of?: string | null | (() => Promise<string | null>);
}

export type Note = (fields: SpanFields) => void;

export interface Tracing {
  span<T>(given: SpanGiven, work: (note: Note) => Promise<T>): Promise<T>;
  /** Sends what has ended. */
  stop(): Promise<void>;
}

/** The server and the pages are two programs in one process. Guarantee: only this module writes the property. */
const holder = globalThis as typeof globalThis & { trilhoTracing?: Tracing | undefined };

export function setTracing(tracing: Tracing | undefined): void {
  holder.trilhoTracing = tracing;
}

const unheard: Note = () => undefined;

/** Does the work, and shows it as a span when somebody looks; without OTEL_EXPORTER_OTLP_ENDPOINT nothing else happens. */
export function traced<T>(given: () => SpanGiven, work: (note: Note) => Promise<T>): Promise<T> {
  return holder.trilhoTracing ? holder.trilhoTracing.span(given(), work) : work(unheard);
}
