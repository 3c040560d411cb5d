import { z } from "zod";
import { amount, day, instantIn, instantOut, optional, text, uuid } from "@/lib/http/fields";
import { pageQuery } from "@/lib/http/pagination";
import { parseDuration } from "@/lib/providers/sandbox/api/duration";
import { parseScenario } from "@/lib/providers/sandbox/scenario";

const MAX_AUTO_SETTLE_SECONDS = 86_400;
const MAX_REASON = 255;

const autoSettleSeconds = z.int().min(0).max(MAX_AUTO_SETTLE_SECONDS).nullable().meta({
  description: "Pix, boleto and wallet payments created from now on pay themselves this much later; null = off",
});
/** Here null has a meaning of its own: it switches the rule off. */
export const settingsInput = z
  .object({ autoSettleSeconds: autoSettleSeconds.optional() })
  .meta({ id: "SandboxSettingsChange" });
export const settingsBody = z.object({ autoSettleSeconds }).meta({ id: "SandboxSettings" });

const duration = z
  .string()
  .transform((given, issues) => {
    const parsed = parseDuration(given);
    if (!parsed) issues.addIssue({ code: "custom", message: "must be an ISO 8601 duration such as P31D or PT10S" });
    return parsed ?? z.NEVER;
  })
  .meta({ type: "string", format: "duration" });

export const clockInput = z
  .object({
    advance: optional(duration),
    to: optional(instantIn),
    freeze: optional(
      z.boolean().meta({ description: "true stops the clock there, false lets it run on; absent: as it was" }),
    ),
  })
  .refine((given) => given.advance === undefined || given.to === undefined, "needs advance or to, not both")
  .refine(
    (given) => given.advance !== undefined || given.to !== undefined || given.freeze !== undefined,
    "needs advance, to or freeze",
  )
  .meta({ id: "SandboxClockMove" });
export type ClockInput = z.output<typeof clockInput>;

const clock = { now: instantOut, offsetSeconds: z.int(), frozen: z.boolean() };
export const clockBody = z.object(clock).meta({ id: "SandboxClock" });
export const movedClockBody = z
  .object({ ...clock, jobsRun: z.int().meta({ description: "everything that became due on the way has run" }) })
  .meta({ id: "SandboxClockMoved" });

export const outcomeBody = z
  .object({
    code: z.string().meta({ examples: ["106"] }),
    outcome: z.string().meta({ examples: ["decline:insufficient_funds"] }),
    numbers: z.object({
      visa: z.string(),
      mastercard: z.string(),
      elo: z.string(),
      hipercard: z.string(),
      amex: z.string(),
      diners: z.string(),
    }),
  })
  .meta({ id: "SandboxOutcome" });

const oneTarget = z
  .object({ cardId: optional(uuid), customerId: optional(uuid), merchantId: optional(uuid) })
  .transform(({ cardId, customerId, merchantId }, issues) => {
    const given = [cardId && { cardId }, customerId && { customerId }, merchantId && { merchantId }].filter(
      (target) => target !== undefined && target !== "",
    );
    const [target] = given;
    if (!target || given.length > 1) {
      issues.addIssue({ code: "custom", message: "needs exactly one of cardId, customerId, merchantId" });
      return z.NEVER;
    }
    return target;
  })
  .meta({ id: "SandboxScenarioTarget" });

export const scenarioText = z.string().transform((given, issues) => {
  const parsed = parseScenario(given);
  if (parsed.ok) return given;
  for (const message of parsed.problems) issues.addIssue({ code: "custom", message });
  return z.NEVER;
});

export const newScenario = z
  .object({ target: oneTarget, scenario: scenarioText.meta({ type: "string", examples: ["outcome=106;times=2"] }) })
  .meta({ id: "NewSandboxScenario" });
export const scenarioBody = z
  .object({
    id: z.string(),
    target: z.object({
      cardId: z.string().optional(),
      customerId: z.string().optional(),
      merchantId: z.string().optional(),
    }),
    scenario: z.string(),
    remaining: z.int().nullable().meta({ description: "uses left; null = always" }),
    createdAt: instantOut,
  })
  .meta({ id: "SandboxScenario" });

export const pixPayment = z
  .object({
    amount: optional(amount(1)),
    times: optional(z.literal([1, 2])),
    after: optional(z.literal("expiry")),
    at: optional(instantIn),
  })
  .meta({ id: "SandboxPixPayment" });
export const boletoPayment = z
  .object({ amount: optional(amount(1)), paidOn: optional(day) })
  .meta({ id: "SandboxBoletoPayment" });
export const forcedReturn = z.object({ amount: optional(amount(1)) }).meta({ id: "SandboxPixReturn" });
export const dispute = z
  .object({ amount: optional(amount(1)), reason: optional(text(MAX_REASON)) })
  .meta({ id: "SandboxChargeback" });

const MAX_TXID = 36;
export const txidParams = z.object({
  txid: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,36}$/, "must be a txid or the id of a charge")
    .max(MAX_TXID),
});

export const callFilters = pageQuery.extend({ chargeId: uuid });
export const callBody = z
  .object({
    id: z.string(),
    at: instantOut,
    operation: z.string(),
    reference: z.string(),
    request: z.looseObject({}),
    response: z.unknown().optional().meta({ description: "as the provider sent it; absent when nothing came" }),
    durationMs: z.int(),
  })
  .meta({ id: "SandboxCall" });

export const dayFilter = z.object({ date: day });
const cents = z.int();
export const dayTotalsBody = z
  .object({
    date: z.string(),
    captured: cents,
    refunded: cents,
    chargedBack: cents,
    settled: cents,
    providerCost: cents,
    transferred: cents,
  })
  .meta({ id: "SandboxDayTotals" });

/** Forced statuses: the nine of a charge, and two that change nothing (spec/contract.md 21.5). */
export const FORCED_STATUSES = [
  "pending",
  "pre_authorized",
  "authorized",
  "failed",
  "canceled",
  "voided",
  "charged_back",
  "refund_pending",
  "capture_pending",
  "created",
  "processed",
] as const;
export const forcedStatus = z.object({ status: z.enum(FORCED_STATUSES) }).meta({ id: "ForcedStatus" });
export type ForcedStatus = (typeof FORCED_STATUSES)[number];

export const forcedVerdict = z
  .object({ status: z.enum(["approved", "reproved", "failed"]) })
  .meta({ id: "ForcedVerdict" });
