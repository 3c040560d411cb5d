import { createHash } from "node:crypto";
import { systemSql } from "@/db/client";
import { derivedId } from "@/lib/ids";
import { DENIED_DOCUMENT } from "@/lib/providers/sandbox/decide";
import { effectsOnAnalysis } from "@/lib/providers/sandbox/effects";
import { findOutcome, OUTCOME_ROWS, type OutcomeRow } from "@/lib/providers/sandbox/outcomes";
import { type Answer, answer, before, closed, deliver, refuse } from "@/lib/providers/sandbox/reply";
import { parseScenario } from "@/lib/providers/sandbox/scenario";
import { outcomeOfCharge } from "@/lib/providers/sandbox/store";
import type { AnalysisReply, AnalysisRequest, Caller, SimulatorReply } from "@/lib/providers/sandbox/wire";
import { SANDBOX_BRANDS, sandboxPan } from "@/lib/reference/sandbox-pans";
import { addSeconds } from "@/lib/time";

/** The simulated fraud provider (spec/sandbox.md section 5). */
type Status = AnalysisReply["status"];
interface Analysis {
  status: Status;
  score: number | null;
  failure: NonNullable<AnalysisReply["failure"]> | null;
  resolvesAt: Date | null;
  resolvesTo: Exclude<Status, "pending"> | null;
}

const SCORES: Partial<Record<Status, number>> = { approved: 10, reproved: 95 };

export async function analyse(caller: Caller, input: AnalysisRequest): Promise<SimulatorReply> {
  return disturbed(caller, async () => {
    const decided = await decide(caller, input);
    const id = derivedId("sandbox-analysis", caller.clientId, caller.providerId, input.reference);
    await systemSql()`
      insert into sandbox_analyses
        (id, client_id, provider_id, charge_id, reference, status, score, failure, resolves_at, resolves_to, created_at)
      values (${id}, ${caller.clientId}, ${caller.providerId}, ${caller.chargeId}, ${input.reference},
        ${decided.status}, ${decided.score}, ${decided.failure}, ${decided.resolvesAt}, ${decided.resolvesTo}, ${caller.now})
      on conflict do nothing`;
    return found(caller, input.reference);
  });
}

export const lookUpAnalysis = (caller: Caller, reference: string): Promise<SimulatorReply> =>
  disturbed(caller, () => found(caller, reference));

export async function feedAnalysis(caller: Caller, reference: string, status: string): Promise<SimulatorReply> {
  await systemSql()`
    update sandbox_analyses set fed = array_append(fed, ${status})
     where client_id = ${caller.clientId} and provider_id = ${caller.providerId} and reference = ${reference}`;
  return deliver(await found(caller, reference), {});
}

async function disturbed(caller: Caller, run: () => Promise<Answer>): Promise<SimulatorReply> {
  const effects = await effectsOnAnalysis(systemSql(), caller);
  const instead = before(effects);
  if (instead === "closed") return closed;
  return deliver(instead ?? (await run()), effects);
}

async function found(caller: Caller, reference: string): Promise<Answer> {
  const [row] = await systemSql()<Analysis[]>`
    select status, score, failure, resolves_at as "resolvesAt", resolves_to as "resolvesTo" from sandbox_analyses
     where client_id = ${caller.clientId} and provider_id = ${caller.providerId} and reference = ${reference}`;
  if (!row) return refuse("not_found");
  const isOver = row.resolvesAt !== null && row.resolvesTo !== null && row.resolvesAt <= caller.now;
  const status = isOver && row.resolvesTo ? row.resolvesTo : row.status;
  const score = SCORES[status];
  const reply: AnalysisReply = {
    reference,
    status,
    ...(score === undefined ? {} : { score }),
    ...(status === "failed" && row.failure ? { failure: row.failure } : {}),
    ...(status === "pending" && row.resolvesAt ? { nextEventAt: row.resolvesAt.toISOString() } : {}),
    at: caller.now.toISOString(),
  };
  return answer(reply);
}

/** An asynchronous product says everything a while later. */
async function decide(caller: Caller, input: AnalysisRequest): Promise<Analysis> {
  const isDenied = digitsOf(input.buyerDocument) === DENIED_DOCUMENT;
  const review = isDenied ? undefined : (await outcomeFor(caller, input.card))?.analysis;
  const status = isDenied ? "reproved" : (review ?? byIdentity(digitsOf(input.identity)));
  const failure = status === "failed" ? (isEven(caller.chargeId) ? "timeout" : "processing_error") : null;
  const isLater = status !== "pending" && (review !== undefined || input.asynchronous);
  return {
    status: isLater ? "pending" : status,
    score: SCORES[status] ?? null,
    failure,
    resolvesAt: isLater ? addSeconds(caller.now, caller.delaySeconds) : null,
    resolvesTo: isLater ? status : null,
  };
}

/** The scenario first, then what the acquirer next door recorded, and before the charge what is shown of the card. */
async function outcomeFor(caller: Caller, { bin, last4 }: AnalysisRequest["card"]): Promise<OutcomeRow | undefined> {
  const parsed = caller.scenario === undefined ? undefined : parseScenario(caller.scenario);
  if (parsed?.ok && parsed.value.outcome !== undefined) return findOutcome(parsed.value.outcome);
  const recorded = await outcomeOfCharge(systemSql(), caller);
  if (recorded !== undefined) return findOutcome(recorded);
  return OUTCOME_ROWS.find(
    ({ name, analysis }) =>
      analysis !== undefined &&
      SANDBOX_BRANDS.some((brand) => {
        const number = sandboxPan(name, brand);
        return number.startsWith(bin) && number.endsWith(last4);
      }),
  );
}

function byIdentity(identity: string): Status {
  switch (identity.slice(-1)) {
    case "":
    case "1":
      return "approved";
    case "0":
      return "pending";
    case "2":
      return "failed";
    default:
      return "reproved";
  }
}

const digitsOf = (text: string | undefined): string => text?.replace(/\D/g, "") ?? "";
const isEven = (chargeId: string): boolean => createHash("sha256").update(chargeId).digest().readUInt8(0) % 2 === 0;
