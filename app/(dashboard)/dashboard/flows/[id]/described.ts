import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { valueFrom } from "@/components/flows/editor/fields";
import { type Simulation, simulation } from "@/lib/flows/schema-simulation";

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
  asked: Simulation | undefined;
  wrong: ReadonlySet<string>;
}

/** Nothing before the form was sent. */
export function describedBy(given: GivenParameters, flowId: string): Description | undefined {
  if (oneOf(given, "described") !== "1") return undefined;
  const typed: Description["typed"] = {};
  for (const name of DESCRIBED) {
    const text = oneOf(given, name)?.trim();
    if (text) typed[name] = text;
  }
  const facts = Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, factOf(name, text)]));
  const read = simulation.safeParse({ flowId, facts });
  if (read.success) return { typed, asked: read.data, wrong: new Set() };
  return { typed, asked: undefined, wrong: new Set(read.error.issues.map(({ path }) => String(path[1]))) };
}

function factOf(name: string, text: string): unknown {
  if (name === "amount") return valueFrom("amount", "eq", text);
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
