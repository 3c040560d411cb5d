import type { SellerBankAccount, SellerBusiness, SellerDocument, SellerOwner } from "@/db/schema/sellers";
import { normalizeTaxId } from "@/lib/brazil/cpf-cnpj";
import { type CheckedDocument, checkDocument, type DocumentInput } from "@/lib/customers/document-types";
import { invalid, RequestError } from "@/lib/errors";
import { policyProblems } from "@/lib/sellers/schema";

interface Groups {
  owner: Omit<SellerOwner, "document"> & { document: DocumentInput };
  business?: (Omit<SellerBusiness, "document"> & { document: DocumentInput }) | undefined;
  bankAccount: SellerBankAccount;
  transferPolicy: Parameters<typeof policyProblems>[0];
}

export interface CheckedGroups {
  owner: SellerOwner;
  business: SellerBusiness | null;
  bankAccount: SellerBankAccount;
  /** Of the business, else of the owner. */
  document: SellerDocument;
}

/** What the members of a seller say together; every broken rule is named by its path. */
export function checkGroups({ owner, business, bankAccount, transferPolicy }: Groups): CheckedGroups {
  const problems: string[] = [...policyProblems(transferPolicy)];
  const documentAt = (path: string, given: DocumentInput): SellerDocument => {
    const checked = checkDocument(given);
    const number = checked.ok ? checked.document.number : null;
    if (!checked.ok) problems.push(...checked.problems.map((problem) => `${path}.${problem}`));
    else if (number === null) problems.push(`${path}.document.number: is required of a seller`);
    return stored(checked.ok ? checked.document : undefined, given);
  };
  const whole = { ...owner, document: documentAt("owner", owner.document) };
  const company = business ? { ...business, document: documentAt("business", business.document) } : null;
  const account = { ...bankAccount, holderDocument: normalizeTaxId(bankAccount.holderDocument) };
  const holder = holderProblem(account, whole, company);
  if (holder) problems.push(holder);
  if (problems.length > 0) throw invalid(...problems);
  return { owner: whole, business: company, bankAccount: account, document: (company ?? whole).document };
}

const stored = (checked: CheckedDocument | undefined, given: DocumentInput): SellerDocument => ({
  type: given.type,
  number: checked?.number ?? "",
  country: checked?.country ?? "BR",
});

/** Whose account it is: the business's for `company`, the owner's for `individual`, else of either. */
function holderProblem(
  { holderDocument, holdeType }: SellerBankAccount,
  owner: SellerOwner,
  business: SellerBusiness | null,
): string | undefined {
  const allowed = {
    individual: [owner.document.number],
    company: business ? [business.document.number] : [],
    either: [owner.document.number, ...(business ? [business.document.number] : [])],
  }[holdeType ?? "either"];
  return allowed.includes(holderDocument)
    ? undefined
    : "bankAccount.holderDocument: must be the document of the owner or the business";
}

export const bankIdentifierMissing = (): RequestError =>
  new RequestError(400, "bad_request", "the bank account needs bank or ispb", {
    key: "bank_identifier_required",
    details: ["bankAccount: bank or ispb is required"],
  });

/** One text by which sellers of a merchant are told apart. */
export const documentKeyOf = ({ type, number, country }: SellerDocument): string =>
  [country, type.toLowerCase(), number].join(":");
