import type { CivilDate } from "@/lib/brazil/bank-calendar";
import { BoletoError, parseBoletoLine, slipMismatches } from "@/lib/brazil/boleto";
import type { BoletoInput } from "@/lib/providers/provider";

export type ReadSlip =
  | { kind: "slip"; line: string; barcode: string }
  | { kind: "mismatch"; got: string }
  | { kind: "unreadable" };

/** A slip that a provider made: never composed here, and never believed where its parts disagree. */
export function readSlip(
  typed: string,
  { amount, dueDate }: Pick<BoletoInput, "amount" | "dueDate">,
  givenBarcode?: string,
): ReadSlip {
  const line = typed.replace(/\D/g, "");
  try {
    const read = parseBoletoLine(line, dueDate);
    const barcode = givenBarcode ?? read.barcode;
    const wrong = slipMismatches({ line, barcode, amount, dueOn: dueDate });
    if (wrong.length === 0) return { kind: "slip", line, barcode };
    return wrong.length === 1 && wrong[0] === "amount"
      ? { kind: "mismatch", got: String(read.amount) }
      : { kind: "unreadable" };
  } catch (error) {
    if (error instanceof BoletoError) return { kind: "unreadable" };
    throw error;
  }
}

/** The due date that a line says, read near a day; undefined for what is no line. */
export function slipDueOn(typed: string, near: CivilDate): CivilDate | undefined {
  try {
    return parseBoletoLine(typed.replace(/\D/g, ""), near).dueOn;
  } catch (error) {
    if (error instanceof BoletoError) return undefined;
    throw error;
  }
}
