import { createHash } from "node:crypto";
import { type Boleto, composeBoleto } from "@/lib/brazil/boleto";
import { dynamicPixCode } from "@/lib/brazil/pix-brcode";
import type { BoletoRequest, PixRequest } from "@/lib/providers/sandbox/wire";

/** No bank has it, so no bank can pay the slip. */
const BANK = "000";
const FREE_FIELD_DIGITS = 25;
const OUR_NUMBER_DIGITS = 11;

/** A dynamic code of this installation: its location is our own base address. */
export function pixCode(publicUrl: string, txid: string, { amount, receiver }: PixRequest): string {
  const { host } = new URL(publicUrl);
  return dynamicPixCode({
    url: `${host}/pix/${txid}`,
    merchantName: receiver.name,
    merchantCity: receiver.city,
    amount,
  });
}

/** What the buyer scans to authorize a mandate; it says no amount, since it pays nothing by itself. */
export const mandateCode = (publicUrl: string, id: string): string =>
  dynamicPixCode({
    url: `${new URL(publicUrl).host}/rec/${id.replaceAll("-", "")}`,
    merchantName: "SIMULADOR",
    merchantCity: "SAO PAULO",
  });

/** Pays the slip itself: one payment, whichever of its two codes is used. */
export const slipPixCode = (publicUrl: string, id: string, { amount }: BoletoRequest): string =>
  dynamicPixCode({
    url: `${new URL(publicUrl).host}/pix/${id.replaceAll("-", "")}`,
    merchantName: "SIMULADOR",
    merchantCity: "SAO PAULO",
    amount,
  });

export interface SlipCodes {
  line: string;
  barcode: string;
  ourNumber: string;
}

export function slipCodes(id: string, { amount, dueDate }: BoletoRequest): SlipCodes {
  const number = BigInt(`0x${createHash("sha256").update(id).digest("hex").slice(0, 20)}`);
  const freeField = String(number).padStart(FREE_FIELD_DIGITS, "0").slice(-FREE_FIELD_DIGITS);
  const slip: Boleto = composeBoleto({ bank: BANK, dueOn: dueDate, amount, freeField });
  return { line: slip.line, barcode: slip.barcode, ourNumber: freeField.slice(-OUR_NUMBER_DIGITS) };
}
