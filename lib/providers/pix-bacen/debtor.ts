import type { Payer } from "@/lib/providers/provider";
import { foldedText } from "@/lib/providers/text";

const MAX_NAME = 140;

/** A name stands only beside a document. */
export function debtorOf({ name, document }: Payer): Record<string, string> | undefined {
  const type = document?.type.toUpperCase();
  if (!document || (type !== "CPF" && type !== "CNPJ")) return undefined;
  return { [type.toLowerCase()]: document.number, nome: foldedText(name, MAX_NAME) };
}
