import type { AnalysisCall, AntifraudProvider, FraudVerdict, Suspect } from "@/lib/providers/antifraud";
import type { Outcome } from "@/lib/providers/provider";
import { callerHeaders } from "@/lib/providers/sandbox/adapter-call";
import { readAnswer } from "@/lib/providers/sandbox/answers";
import type { SandboxTransport } from "@/lib/providers/sandbox/transport";
import { parseWebhook } from "@/lib/providers/sandbox/webhook";
import { type AnalysisReply, analysisReply } from "@/lib/providers/sandbox/wire";
import { foldedText } from "@/lib/providers/text";

const MAX_NAME = 64;

/** The adapter of the simulated fraud provider, over either transport of the simulator. */
export function sandboxAntifraud(transport: SandboxTransport): AntifraudProvider {
  const send = async (call: AnalysisCall, method: "GET" | "POST", path: string, body?: object) =>
    readAnswer(
      await transport.send(
        { method, path, headers: callerHeaders(call, call.chargeId), ...(body ? { body } : {}) },
        { deadline: call.deadline, signal: call.signal },
      ),
      analysisReply,
    );
  return {
    kind: "SANDBOX_ANTIFRAUD",
    async analyse(call, suspect) {
      const read = await send(call, "POST", "/analyses", requestOf(call, suspect));
      return read.ok ? verdictOf(call, read.value) : unanswered(read.outcome);
    },
    async query(call) {
      const read = await send(call, "GET", `/analyses?reference=${encodeURIComponent(call.reference)}`);
      if (read.ok) return verdictOf(call, read.value);
      const { outcome } = read;
      return outcome.kind === "rejected" && outcome.problem === "not_found"
        ? { kind: "not_found" }
        : unanswered(outcome);
    },
    async feed(call, status) {
      const read = await send(call, "POST", `/analyses/${encodeURIComponent(call.reference)}/outcome`, { status });
      if (!read.ok) throw new Error(`the fraud provider was not told: ${read.outcome.kind}`);
    },
    parseWebhook,
  };
}

function requestOf(call: AnalysisCall, { amount, installments, fraudAnalysis, buyerDocument, card, ip }: Suspect) {
  const identity = identityOf(fraudAnalysis);
  return {
    reference: call.reference,
    amount,
    installments,
    card: { ...card, holderName: foldedText(card.holderName, MAX_NAME) },
    ...(identity === undefined ? {} : { identity }),
    ...(buyerDocument === undefined ? {} : { buyerDocument }),
    ...(ip === undefined ? {} : { ip }),
    asynchronous: call.options?.productType === "ASYNC",
  };
}

function identityOf({ customer }: Suspect["fraudAnalysis"]): string | undefined {
  if (typeof customer !== "object" || customer === null || !("identity" in customer)) return undefined;
  return typeof customer.identity === "string" ? customer.identity : undefined;
}

/** An answer about another analysis says nothing about this one. */
function verdictOf(call: AnalysisCall, { status, ...reply }: AnalysisReply): FraudVerdict {
  if (reply.reference !== call.reference) return { kind: "undetermined", cause: "unparseable" };
  return {
    kind: status,
    reference: reply.reference,
    at: reply.at,
    ...(reply.score === undefined ? {} : { score: reply.score }),
    ...(reply.failure === undefined ? {} : { failure: reply.failure }),
    ...(reply.nextEventAt === undefined ? {} : { nextEventAt: reply.nextEventAt }),
  };
}

/** A refusal is a fault of ours or of the configuration: no verdict will come of it. */
function unanswered(outcome: Outcome<never>): FraudVerdict {
  if (outcome.kind === "not_sent") return outcome;
  return { kind: "undetermined", cause: outcome.kind === "undetermined" ? outcome.cause : "unparseable" };
}
