import {
  type CallFault,
  isWebhookFault,
  parseScenario,
  type Scenario,
  type Step,
  stepOf,
} from "@/lib/providers/sandbox/scenario";
import { type Connection, countUse, type Transaction } from "@/lib/providers/sandbox/store";
import type { Caller } from "@/lib/providers/sandbox/wire";

/** What a scenario does to one call. */
export interface Effects {
  outcome?: string;
  fault?: CallFault;
  latencyMs?: number;
  status?: number;
  retryAfterSeconds?: number;
}

const NONE: Effects = {};

/** The scenario that a new payment came with; it stays with the payment for its later steps. */
export async function effectsOnNew(sql: Connection, caller: Caller): Promise<Effects> {
  const scenario = matching(caller, caller.scenario);
  if (!scenario || stepOf(scenario) !== "authorize") return NONE;
  return used(sql, caller, scenario, `${caller.chargeId}:${caller.scenario}`);
}

/**
 * A later call follows the scenario of its payment where that names the step, and the one it carries itself. One
 * that is carried again from the creating request is the payment's: without a step it meant the creation.
 */
export async function effectsOnLater(sql: Connection, caller: Caller, tx: Transaction, step: Step): Promise<Effects> {
  if (caller.scenario !== undefined && caller.scenario !== tx.scenario) {
    const own = matching(caller, caller.scenario);
    if (own && (own.step ?? (isWebhookFault(own.fault) ? "webhook" : step)) === step) {
      return used(sql, caller, own, `${caller.idempotencyKey ?? caller.chargeId}:${step}:${caller.scenario}`);
    }
  }
  const kept = matching(caller, tx.scenario ?? undefined);
  if (!kept || kept.step !== step) return NONE;
  return used(sql, caller, kept, `${tx.chargeId}:${step}:${tx.scenario}`);
}

/** Calls to the simulated fraud provider are disturbed only where the scenario names that step. */
export async function effectsOnAnalysis(sql: Connection, caller: Caller): Promise<Effects> {
  const scenario = matching(caller, caller.scenario);
  if (scenario?.step !== "analysis") return NONE;
  return used(sql, caller, scenario, `${caller.chargeId}:analysis:${caller.scenario}`);
}

/** Calls about a seller follow the scenario that they carry where it names their step. */
export const effectsOnRecipient = (sql: Connection, caller: Caller): Promise<Effects> =>
  effectsBeside(sql, caller, "recipient");

/** Of a call that is about no payment. */
export async function effectsBeside(sql: Connection, caller: Caller, step: "recipient" | "mandate"): Promise<Effects> {
  const scenario = matching(caller, caller.scenario);
  if (scenario?.step !== step) return NONE;
  return used(sql, caller, scenario, `${caller.chargeId}:${step}:${caller.scenario}`);
}

/** The fault of a notification of this payment, while the scenario lasts; a dropped one never leaves. */
export async function webhookFault(sql: Connection, tx: Pick<Transaction, "clientId" | "chargeId" | "scenario">) {
  const parsed = tx.scenario === null ? undefined : parseScenario(tx.scenario);
  if (!parsed?.ok || stepOf(parsed.value) !== "webhook") return null;
  const { fault, times } = parsed.value;
  if (!isWebhookFault(fault) && fault !== LOST) return null;
  const count = await countUse(sql, tx.clientId, `scenario:${tx.chargeId}:webhook:${tx.scenario}`, times);
  return count === undefined ? null : fault;
}

export const LOST = "drop_request" satisfies CallFault;

/** Whoever loses its notifications foretells nothing either: what happens is found by asking alone. */
export function losesNotifications({ scenario }: Pick<Transaction, "scenario">): boolean {
  const parsed = scenario === null ? undefined : parseScenario(scenario);
  return parsed?.ok === true && parsed.value.step === "webhook" && parsed.value.fault === LOST;
}

function matching(caller: Caller, text: string | undefined): Scenario | undefined {
  const parsed = text === undefined ? undefined : parseScenario(text);
  if (!parsed?.ok) return undefined;
  const { slot, provider } = parsed.value;
  if (slot !== undefined && slot !== caller.slot) return undefined;
  if (provider !== undefined && provider !== caller.priority) return undefined;
  return parsed.value;
}

async function used(sql: Connection, caller: Caller, scenario: Scenario, scope: string): Promise<Effects> {
  const { outcome, fault, latencyMs, status, retryAfterSeconds } = scenario;
  const count = await countUse(sql, caller.clientId, `scenario:${scope}`, scenario.times);
  if (count === undefined) return NONE;
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(fault === undefined || isWebhookFault(fault) ? {} : { fault }),
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(status === undefined ? {} : { status }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}
