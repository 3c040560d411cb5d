import TABLE from "@/lib/reference/sandbox-pans.json" with { type: "json" };

/** The card numbers of the payment simulator: 54 outcomes for 6 brands. Test code and the simulator read the same table. */
export type SandboxOutcome = keyof typeof TABLE.outcomes;
export type SandboxBrand = keyof typeof TABLE.brands;

export interface SandboxCard {
  /** Three digits, `000` to `500`. */
  code: string;
  outcome: SandboxOutcome;
  brand: SandboxBrand;
}

// Object.keys of a JSON module gives exactly the keys its type was read from.
export const SANDBOX_OUTCOMES = Object.keys(TABLE.outcomes) as SandboxOutcome[];
export const SANDBOX_BRANDS = Object.keys(TABLE.brands) as SandboxBrand[];

export const sandboxPan = (outcome: SandboxOutcome, brand: SandboxBrand = "visa"): string =>
  TABLE.outcomes[outcome][brand];

export const sandboxCode = (outcome: SandboxOutcome): string => TABLE.outcomes[outcome].code;

const CARD_OF_PAN: ReadonlyMap<string, SandboxCard> = new Map(
  SANDBOX_OUTCOMES.flatMap((outcome) =>
    SANDBOX_BRANDS.map(
      (brand) => [sandboxPan(outcome, brand), { code: sandboxCode(outcome), outcome, brand }] as const,
    ),
  ),
);

/** What the table says about a number (digits only); undefined when the number is not in it. */
export const outcomeOfPan = (pan: string): SandboxCard | undefined => CARD_OF_PAN.get(pan);

const DECLINE_PREFIX = "decline:";

/** The declined code an outcome answers with; undefined when the outcome is not one of the 24 declines. */
export const declinedCodeOfOutcome = (outcome: SandboxOutcome): string | undefined =>
  outcome.startsWith(DECLINE_PREFIX) ? outcome.slice(DECLINE_PREFIX.length) : undefined;
