import { endOfSaoPauloDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { PixCodeError, parsePixCode } from "@/lib/brazil/pix-brcode";
import type { WirePayment } from "@/lib/providers/cielo/wire";
import type { BoletoSlip, FoundOffer, PixCharge } from "@/lib/providers/provider";
import { readSlip, slipDueOn } from "@/lib/providers/slip";

/** The code of a Pix, with the amount that it says; undefined for one that cannot be read. */
export function codeOf(paid: WirePayment): { text: string; amount: number | undefined } | undefined {
  if (!paid.QrCodeString) return undefined;
  try {
    const { kind, amount } = parsePixCode(paid.QrCodeString);
    return kind === "dynamic" ? { text: paid.QrCodeString, amount } : undefined;
  } catch (error) {
    if (error instanceof PixCodeError) return undefined;
    throw error;
  }
}

export const pixData = ({ PaymentId }: WirePayment, brCode: string, expiresAt: Date): PixCharge => ({
  txid: PaymentId,
  brCode,
  expiresAt: expiresAt.toISOString(),
});

export const slipData = (
  { Url, BoletoNumber }: WirePayment,
  { line, barcode }: { line: string; barcode: string },
  dueDate: string,
): BoletoSlip => ({
  line,
  barcode,
  dueDate,
  expiresAt: endOfSaoPauloDay(dueDate).toISOString(),
  ...(Url ? { pdfUrl: Url } : {}),
  ...(BoletoNumber ? { ourNumber: BoletoNumber } : {}),
});

/** What the buyer pays with, of a slip that was found. The record of a Pix does not show its code. */
export function offerOf(paid: WirePayment, now: Date): { offer?: FoundOffer } {
  const { DigitableLine: line, BarCodeNumber, Amount: amount } = paid;
  const dueDate = line ? slipDueOn(line, saoPauloDay(now)) : undefined;
  if (!line || dueDate === undefined) return {};
  const slip = readSlip(line, { amount, dueDate }, BarCodeNumber ?? undefined);
  return slip.kind === "slip" ? { offer: { amount, data: slipData(paid, slip, dueDate) } } : {};
}
