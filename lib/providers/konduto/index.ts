import { createHmac, timingSafeEqual } from "node:crypto";
import type { z } from "zod";
import { problemOf, readAnswer, rejected } from "@/lib/providers/answers";
import type { AnalysisCall, AntifraudProvider, FinalStatus, FraudVerdict } from "@/lib/providers/antifraud";
import type { Connections } from "@/lib/providers/connections";
import type { OutboundRequest } from "@/lib/providers/exchange";
import { orderIdOf, orderOf, referenceOf } from "@/lib/providers/konduto/order";
import { notification, type Order, orderAnswer, updateAnswer } from "@/lib/providers/konduto/wire";
import type { WebhookParse } from "@/lib/providers/notification";
import type { Outcome, Secret } from "@/lib/providers/provider";

/**
 * Konduto by its published interface (docs.konduto.com/en). Test keys and live ones are of one host. An order is analyzed
 * once under its id: a repeat is preceded by the question what became of it.
 */
export function kondutoAntifraud(connections: Connections): AntifraudProvider {
  const send = async <T>(
    call: AnalysisCall,
    schema: z.ZodType<T>,
    { method, path, body }: Pick<OutboundRequest, "method" | "path" | "body">,
  ) =>
    readAnswer(
      await connections.to(call).send(
        {
          method,
          path: `/v1/orders${path}`,
          headers: { authorization: `Basic ${Buffer.from(`${keyOf(call.credentials)}:`).toString("base64")}` },
          ...(body === undefined ? {} : { body }),
        },
        { deadline: call.deadline, signal: call.signal },
      ),
      schema,
      ({ status }) => (status === UNANSWERED ? undefined : rejected(problemOf(status), `${status}`)),
    );
  const ask = (call: AnalysisCall) =>
    send(call, orderAnswer, { method: "GET", path: `/${encodeURIComponent(orderIdOf(call.reference))}` });
  return {
    kind: "KONDUTO",
    async analyse(call, suspect) {
      const body = orderOf(call, suspect);
      if (!body) return { ...told(call), kind: "failed", failure: "processing_error" };
      const read = await send(call, orderAnswer, { method: "POST", path: "", body });
      return read.ok ? verdictOf(call, read.value.order) : unanswered(read.outcome);
    },
    async query(call) {
      const read = await ask(call);
      if (read.ok) return verdictOf(call, read.value.order);
      const { outcome } = read;
      return outcome.kind === "rejected" && outcome.problem === "not_found"
        ? { kind: "not_found" }
        : unanswered(outcome);
    },
    async feed(call, status) {
      const known = await ask(call);
      // An order that never reached it has no end to be told.
      if (!known.ok && known.outcome.kind === "rejected" && known.outcome.problem === "not_found") return;
      if (!known.ok) throw new Error(`the fraud provider was not told: ${known.outcome.kind}`);
      // What it declined itself stays declined: that nothing was paid then is no news.
      if (status !== "charged_back" && isDeclined(known.value.order)) return;
      const read = await send(call, updateAnswer, {
        method: "PUT",
        path: `/${encodeURIComponent(orderIdOf(call.reference))}`,
        body: { status: FED[status], comments: COMMENTS[status] },
      });
      if (!read.ok) throw new Error(`the fraud provider was not told: ${read.outcome.kind}`);
    },
    parseWebhook,
  };
}

/** "444 No Response": nothing is said of the order. */
const UNANSWERED = 444;

const keyOf = (secret: Secret): string => secret.reveal().secretKey ?? "";

const told = ({ reference, clock }: AnalysisCall) => ({ reference, at: clock.now().toISOString() });

const FED: Readonly<Record<FinalStatus, string>> = {
  authorized: "approved",
  failed: "not_authorized",
  voided: "canceled",
  canceled: "canceled",
  charged_back: "fraud",
};
const COMMENTS: Readonly<Record<FinalStatus, string>> = {
  authorized: "The payment was captured.",
  failed: "The payment was refused.",
  voided: "The payment was released or refunded.",
  canceled: "The payment was canceled.",
  charged_back: "The payment was charged back.",
};

type Ended = "approved" | "reproved" | "pending" | "failed";

/** Of people who looked; what we told of the payment's end is no verdict. */
const BY_STATUS: Readonly<Record<string, Ended>> = {
  approved: "approved",
  declined: "reproved",
  fraud: "reproved",
  pending: "pending",
  not_analyzed: "failed",
};
const BY_RECOMMENDATION: Readonly<Record<string, Ended>> = {
  approve: "approved",
  decline: "reproved",
  review: "pending",
  none: "failed",
};

const isDeclined = ({ recommendation, status }: Order): boolean =>
  (BY_STATUS[status ?? ""] ?? BY_RECOMMENDATION[recommendation]) === "reproved";

/** An answer about another order, or in words that nobody published, says nothing about this one. */
function verdictOf(call: AnalysisCall, { id, recommendation, status, score }: Order): FraudVerdict {
  const recommended = BY_RECOMMENDATION[recommendation];
  const kind = BY_STATUS[status ?? ""] ?? recommended;
  if (id !== orderIdOf(call.reference) || recommended === undefined || kind === undefined) {
    return { kind: "undetermined", cause: "unparseable" };
  }
  return {
    ...told(call),
    kind,
    ...(kind === "failed" ? { failure: "processing_error" as const } : {}),
    ...(score === undefined || score < 0 ? {} : { score }),
  };
}

/** A refusal is a fault of ours or of the configuration: no verdict will come of it. */
function unanswered(outcome: Outcome<never>): FraudVerdict {
  if (outcome.kind === "not_sent") return outcome;
  return { kind: "undetermined", cause: outcome.kind === "undetermined" ? outcome.cause : "unparseable" };
}

/** Signed by the private key, over order, moment and status. It never decides: the order is asked about. */
export function parseWebhook(_: Headers, rawBody: Uint8Array, credentials: Secret[]): WebhookParse {
  const parsed = notification.safeParse(jsonOf(rawBody));
  if (!parsed.success) return { kind: "forged" };
  const { order_id: orderId, timestamp, status, signature } = parsed.data;
  const given = Buffer.from(signature, "hex");
  const isSigned = credentials.some((secret) =>
    timingSafeEqual(given, createHmac("sha256", keyOf(secret)).update(`${orderId}#${timestamp}#${status}`).digest()),
  );
  if (!isSigned) return { kind: "forged" };
  const reference = referenceOf(orderId);
  if (reference === undefined) return { kind: "unknown_event", name: `order.${status.toLowerCase()}` };
  return {
    kind: "authentic",
    events: [
      {
        eventId: `${orderId} ${timestamp} ${status}`,
        type: `order.${status.toLowerCase()}`,
        occurredAt: new Date(timestamp).toISOString(),
        reference,
        raw: { headers: {}, body: { order_id: orderId, timestamp, status } },
      },
    ],
  };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}
