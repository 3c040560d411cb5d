import type { Problems, Result } from "@/lib/providers/provider";

/** Merchant numbers at the acquirer: one for everything, or one per BIN (spec/contract.md 11.2). */
export interface AcquirerBin {
  brand: string;
  value: string;
  merchantId?: string;
}
export interface Acquirer {
  merchantId?: string;
  bin: AcquirerBin[];
}

const MAX_TEXT = 64;
const MAX_BINS = 1000;
const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= MAX_TEXT;

export function checkAcquirer(raw: unknown): Result<Acquirer | undefined> {
  if (raw === undefined || raw === null) return { ok: true, value: undefined };
  if (typeof raw !== "object" || Array.isArray(raw)) return problems("acquirer", "must be an object");
  // An object that is no array: its members are read by name and checked one by one.
  const { merchantId, bin, ...rest } = raw as Record<string, unknown>;
  const errors: Problems = Object.keys(rest).map((name) => ({ field: `acquirer.${name}`, message: "unknown field" }));
  if (merchantId !== undefined && !isText(merchantId)) {
    errors.push({ field: "acquirer.merchantId", message: `must be a string of 1 to ${MAX_TEXT} characters` });
  }
  const bins = bin ?? (merchantId === undefined ? undefined : []);
  if (!Array.isArray(bins) || bins.length > MAX_BINS) {
    errors.push({ field: "acquirer.bin", message: `must be a list of at most ${MAX_BINS}` });
    return { ok: false, errors };
  }
  const perBin = merchantId === undefined;
  if (perBin && bins.length === 0) errors.push({ field: "acquirer", message: "needs merchantId or bin" });
  const read = bins.flatMap((item: unknown, index): AcquirerBin[] => {
    const problem = binProblem(item, perBin);
    if (problem) errors.push({ field: `acquirer.bin.${index}`, message: problem });
    return problem ? [] : [item as AcquirerBin]; // binProblem checked every member.
  });
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, value: { ...(isText(merchantId) ? { merchantId } : {}), bin: read } };
}

function binProblem(item: unknown, perBin: boolean): string | undefined {
  if (typeof item !== "object" || item === null) return "must be an object";
  const { brand, value, merchantId, ...rest } = item as Record<string, unknown>;
  if (Object.keys(rest).length > 0) return `${Object.keys(rest)[0]} is an unknown field`;
  if (!isText(brand) || !isText(value)) return "brand and value must be strings";
  if (perBin && !isText(merchantId)) return "merchantId must be a string";
  if (!perBin && merchantId !== undefined) return "merchantId stands once, beside bin";
  return undefined;
}

const problems = (field: string, message: string): { ok: false; errors: Problems } => ({
  ok: false,
  errors: [{ field, message }],
});
