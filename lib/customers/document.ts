import { normalizeTaxId } from "@/lib/brazil/cpf-cnpj";
import type { Context } from "@/lib/context";
import { checkDocument } from "@/lib/customers/document-types";
import type { NewCustomer } from "@/lib/customers/schema";
import { invalid } from "@/lib/errors";

type DocumentInput = NewCustomer["document"];

/** The one CPF with wrong check digits that sandbox accounts take: it makes the anti-fraud deny (spec/sandbox.md section 5). */
const DENIED_BY_ANTIFRAUD = "11111111111";

export interface DocumentColumns {
  documentType: string;
  documentNumber: string | null;
  documentCountry: string;
}

/** The document as it is stored; refuses a number its type and country do not allow. */
export function documentColumns(ctx: Context, given: DocumentInput): DocumentColumns {
  if (ctx.account.mode === "sandbox" && isDenied(given)) {
    return { documentType: given.type, documentNumber: DENIED_BY_ANTIFRAUD, documentCountry: given.country };
  }
  const checked = checkDocument(given);
  if (!checked.ok) throw invalid(...checked.problems);
  const { type, number, country } = checked.document;
  return { documentType: type, documentNumber: number, documentCountry: country };
}

const isDenied = ({ type, number, country }: DocumentInput): boolean =>
  country === "BR" &&
  type.toLowerCase() === "cpf" &&
  number !== undefined &&
  normalizeTaxId(number) === DENIED_BY_ANTIFRAUD;
