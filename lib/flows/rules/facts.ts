import { BRANDS, brandOfName } from "@/lib/brazil/card-brand";
import { METADATA, type Scalar } from "@/lib/flows/rules/nodes";

/** What conditions see of a payment (spec/routing.md section 1.4). A member that is not known is left out. */
export interface FlowFacts {
  amount: number;
  installments: number;
  currency: string;
  source: string;
  brand?: string;
  /** The first 6 or 8 digits. */
  cardBin?: string;
  cardFunction?: string;
  country?: string;
  recurrence?: string;
  /** Monday is 1; both on the account's clock in São Paulo. */
  weekday: number;
  hour: number;
  /** What shares are drawn for: the charge, or the purchase whose card it pays. */
  unit: string;
  /** Whoever always sees one side: by card, else by customer, else the unit. */
  buyer: string;
  /** In a dry run: instead of what would be drawn. */
  random?: number;
  bucket?: number;
  /** `paymentFlow.metadata` as sent. */
  metadata?: Readonly<Record<string, unknown>>;
}

/** What is known after a decline, inside `on` alone. */
export interface AfterDecline {
  attempt: number;
  previousDecline: string;
}

/** The value of a field other than those drawn by chance; undefined is missing. */
export function factOf(facts: FlowFacts, field: string, after: AfterDecline | undefined): Scalar | undefined {
  switch (field) {
    case "amount":
      return facts.amount;
    case "installments":
      return facts.installments;
    case "currency":
      return facts.currency;
    case "source":
      return facts.source;
    case "brand":
      return facts.brand === undefined ? undefined : brandCode(facts.brand);
    case "cardBin":
      return facts.cardBin;
    case "cardFunction":
      return facts.cardFunction;
    case "country":
      return facts.country;
    case "recurrence":
      return facts.recurrence;
    case "weekday":
      return facts.weekday;
    case "hour":
      return facts.hour;
    case "attempt":
      return after?.attempt;
    case "previousDecline":
      return after?.previousDecline;
    default:
      return ofMetadata(facts.metadata, field);
  }
}

function ofMetadata(metadata: FlowFacts["metadata"], field: string): Scalar | undefined {
  if (!metadata || !field.startsWith(METADATA)) return undefined;
  const key = field.slice(METADATA.length);
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
}

const CODES: ReadonlySet<string> = new Set(BRANDS);

const known = new Map<string, string>();
const MOST_KNOWN = 1_000;

/** `amex` and `American Express` are one brand. */
export function brandCode(given: string): string {
  const code = known.get(given);
  if (code !== undefined) return code;
  const lower = given.toLowerCase();
  const found = CODES.has(lower) ? lower : brandOfName(lower);
  if (known.size < MOST_KNOWN) known.set(given, found);
  return found;
}

export const isBrand = (given: string): boolean => brandCode(given) !== "unknown" || given.toLowerCase() === "unknown";
