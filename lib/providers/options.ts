import type { Problems, Result } from "@/lib/providers/provider";

/** Options of a provider (spec/contract.md 11.4), as stored and handed to adapters: complete, with their defaults. */
export type ProviderOptions =
  | ({ type: "ANTIFRAUD" } & AntifraudOptions)
  | { type: "NUPAY"; merchantName?: string; storeName?: string }
  | { type: "BARTE"; paymentMethod: "CREDIT_CARD_EARLY_SELLER" | "CREDIT_CARD_EARLY_BUYER" }
  | { type: "SANDBOX"; delaySeconds: number };

export interface AntifraudOptions {
  productType: "SYNC" | "ASYNC";
  captureOnApproved: boolean;
  refundOnReproved: boolean;
  captureOnError: boolean;
  refundOnError: boolean;
  runBeforeCharge: boolean;
}

export const DEFAULT_DELAY_SECONDS = 5;
const MAX_DELAY_SECONDS = 60;
const BARTE_METHODS = ["CREDIT_CARD_EARLY_SELLER", "CREDIT_CARD_EARLY_BUYER"] as const;
const MAX_NAME_LENGTH = 255;

type Field =
  | { kind: "boolean"; default: boolean }
  | { kind: "integer"; min: number; max: number; default: number }
  | { kind: "choice"; values: readonly string[]; default?: string; required?: boolean }
  | { kind: "text" };

interface OptionsShape {
  fields: Record<string, Field>;
  synonyms?: Record<string, string>;
}

const yes = { kind: "boolean", default: true } as const;
const no = { kind: "boolean", default: false } as const;

const SHAPES: Record<ProviderOptions["type"], OptionsShape> = {
  ANTIFRAUD: {
    fields: {
      productType: { kind: "choice", values: ["SYNC", "ASYNC"], default: "SYNC" },
      captureOnApproved: yes,
      refundOnReproved: yes,
      captureOnError: no,
      refundOnError: no,
      runBeforeCharge: no,
    },
    synonyms: { captureOnApprove: "captureOnApproved", refundOnReprove: "refundOnReproved" },
  },
  NUPAY: { fields: { merchantName: { kind: "text" }, storeName: { kind: "text" } } },
  BARTE: { fields: { paymentMethod: { kind: "choice", values: BARTE_METHODS, required: true } } },
  SANDBOX: {
    fields: { delaySeconds: { kind: "integer", min: 0, max: MAX_DELAY_SECONDS, default: DEFAULT_DELAY_SECONDS } },
  },
};

export type OptionsType = keyof typeof SHAPES;

/** Options a kind takes, and what it changes about them. */
export interface OptionsRule {
  type: OptionsType;
  required?: boolean;
  /** The kind exists asynchronously only. */
  asyncOnly?: boolean;
}

export function checkOptions(rule: OptionsRule | undefined, raw: unknown): Result<ProviderOptions | undefined> {
  if (raw === undefined || raw === null) {
    if (rule?.required) return refused("options", `options of type ${rule.type} are required`);
    return { ok: true, value: rule ? complete(rule, {}) : undefined };
  }
  if (!rule) return refused("options", "this kind takes no options");
  if (typeof raw !== "object" || Array.isArray(raw)) return refused("options", "must be an object");
  const errors: Problems = [];
  const given: Record<string, unknown> = {};
  const { fields, synonyms = {} } = SHAPES[rule.type];
  for (const [name, value] of Object.entries(raw)) {
    if (name === "type") {
      if (value !== rule.type) errors.push({ field: "options.type", message: `must be ${rule.type}` });
      continue;
    }
    const member = synonyms[name] ?? name;
    const field = fields[member];
    if (!field) errors.push({ field: `options.${name}`, message: "unknown field" });
    else if (!fits(field, value)) errors.push({ field: `options.${name}`, message: expected(field) });
    else given[member] = value;
  }
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === "choice" && field.required && given[name] === undefined) {
      errors.push({ field: `options.${name}`, message: expected(field) });
    }
  }
  if (rule.asyncOnly && given.productType === "SYNC") {
    errors.push({ field: "options.productType", message: "this kind is ASYNC only" });
  }
  const value = complete(rule, given);
  if (value.type === "ANTIFRAUD" && value.productType === "ASYNC" && value.runBeforeCharge) {
    errors.push({ field: "options.runBeforeCharge", message: "cannot be combined with ASYNC" });
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, value };
}

function complete(rule: OptionsRule, given: Record<string, unknown>): ProviderOptions {
  const value: Record<string, unknown> = { type: rule.type };
  for (const [name, field] of Object.entries(SHAPES[rule.type].fields)) {
    const chosen = given[name] ?? ("default" in field ? field.default : undefined);
    if (chosen !== undefined) value[name] = chosen;
  }
  if (rule.asyncOnly) value.productType = "ASYNC";
  // Every member was taken from the shape of this type, whose fields are those of the type.
  return value as ProviderOptions;
}

function fits(field: Field, value: unknown): boolean {
  if (field.kind === "boolean") return typeof value === "boolean";
  if (field.kind === "text") return typeof value === "string" && value.length <= MAX_NAME_LENGTH;
  if (field.kind === "choice") return typeof value === "string" && field.values.includes(value);
  return typeof value === "number" && Number.isInteger(value) && value >= field.min && value <= field.max;
}

function expected(field: Field): string {
  if (field.kind === "boolean") return "must be true or false";
  if (field.kind === "text") return `must be a string of at most ${MAX_NAME_LENGTH} characters`;
  if (field.kind === "choice") return `must be one of ${field.values.join(", ")}`;
  return `must be an integer between ${field.min} and ${field.max}`;
}

const refused = (field: string, message: string): { ok: false; errors: Problems } => ({
  ok: false,
  errors: [{ field, message }],
});
