import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { typedOf, valueFrom } from "@/components/flows/editor/fields";
import { type FlowSimulation, type SimulatedFacts, simulation } from "@/lib/flows/schema-simulation";
import { isUuid } from "@/lib/ids";

/** What somebody may say of a payment, as parameters of the page; what is left empty is as usual. */
export const DESCRIBED = [
  "merchantId",
  "amount",
  "installments",
  "brand",
  "cardBin",
  "cardFunction",
  "country",
  "source",
  "recurrence",
  "weekday",
  "hour",
  "random",
  "bucket",
  "metadata",
] as const;
export type Described = (typeof DESCRIBED)[number];

const WHOLE: ReadonlySet<string> = new Set(["installments", "weekday", "hour", "random", "bucket"]);

export interface Description {
  typed: Partial<Record<Described, string>>;
  /** Undefined where something is wrong. */
  asked: FlowSimulation | undefined;
  /** What shares were drawn for, of a payment that is looked at again. */
  unit: string | undefined;
  wrong: ReadonlySet<string>;
}

/** Nothing before the form was sent. */
export function describedBy(given: GivenParameters, flowId: string, locale: string): Description | undefined {
  if (oneOf(given, "described") !== "1") return undefined;
  const typed: Description["typed"] = {};
  const again = oneOf(given, "unit");
  const unit = again !== undefined && isUuid(again) ? again : undefined;
  for (const name of DESCRIBED) {
    const text = oneOf(given, name)?.trim();
    if (text) typed[name] = text;
  }
  const facts = Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, factOf(name, text, locale)]));
  const read = simulation.safeParse({ flowId, facts });
  if (read.success) return { typed, asked: read.data, unit, wrong: new Set() };
  return { typed, asked: undefined, unit, wrong: new Set(read.error.issues.map(({ path }) => String(path[1]))) };
}

function factOf(name: string, text: string, locale: string): unknown {
  if (name === "amount") return valueFrom("amount", "eq", text, locale);
  if (name === "metadata") return metadataOf(text);
  return WHOLE.has(name) ? Number(text) : text;
}

/** One `key=value` a line; what reads as a number or a truth is one, as in a request. A text with another line is wrong. */
function metadataOf(text: string): Record<string, unknown> | string {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const pairs = lines.map((line) => /^\s*([^=]+?)\s*=\s*(.*?)\s*$/.exec(line));
  if (pairs.some((pair) => pair === null)) return text;
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1], readAs(pair[2] ?? "")]] : [])));
}

function readAs(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** What somebody may begin with: a usual sale, a large one, and one of a subscription or of the API. */
export const EXAMPLES = {
  card: [
    { brand: "visa", amount: 12_000, installments: 1 },
    { brand: "mastercard", amount: 150_000, installments: 10 },
    { brand: "elo", amount: 5_990, installments: 1, recurrence: "subsequent", source: "subscription" },
  ],
  other: [
    { amount: 5_000, source: "link" },
    { amount: 89_900, source: "checkout" },
    { amount: 1_500_000, source: "api" },
  ],
} as const satisfies Record<string, readonly SimulatedFacts[]>;

/** The parameters of the page that describe such a payment. */
export function parametersOf(facts: SimulatedFacts, unit: string | undefined, locale: string): string {
  const typed = DESCRIBED.flatMap((name): [string, string][] => {
    const value = facts[name];
    if (value === undefined || value === null) return [];
    if (name === "amount" && typeof value === "number") return [[name, typedOf({ field: name, value }, locale)]];
    if (typeof value !== "object") return [[name, String(value)]];
    const lines = Object.entries(value).map(([key, one]) => `${key}=${String(one)}`);
    return [[name, lines.join("\n")]];
  });
  return new URLSearchParams([["described", "1"], ...typed, ...(unit ? [["unit", unit]] : [])]).toString();
}
