import type { CardHolder } from "@/db/schema/customers";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";

export interface Buyer {
  id: string;
  name: string;
  email: string;
  document: string | null;
  isMasked: boolean;
}

/** The only way a buyer reaches a page: in full for those who may, else enough to tell two apart. */
export function shownBuyer(
  role: OperatorRole,
  customer: { id: string; name: string; email: string; documentNumber: string | null } | null,
): Buyer | undefined {
  if (!customer) return undefined;
  const { id, name, email, documentNumber } = customer;
  if (may(role, "buyers.see")) return { id, name, email, document: documentNumber, isMasked: false };
  return {
    id,
    name: maskedName(name),
    email: maskedEmail(email),
    document: maskedDocument(documentNumber),
    isMasked: true,
  };
}

export interface ShownCardHolder {
  name: string;
  document: string;
}

export function shownCardHolder(role: OperatorRole, { name, document: { number } }: CardHolder): ShownCardHolder {
  return may(role, "buyers.see")
    ? { name, document: number }
    : { name: maskedName(name), document: maskedNumber(number) };
}

/** As was typed on a link. */
export interface ShownPayer {
  email: string | undefined;
  document: string | undefined;
  isMasked: boolean;
}

export const shownPayer = (
  role: OperatorRole,
  { email, document }: { email: string | undefined; document: string | undefined },
): ShownPayer =>
  may(role, "buyers.see")
    ? { email, document, isMasked: false }
    : { email: email && maskedEmail(email), document: document && maskedNumber(document), isMasked: true };

export const shownName = (role: OperatorRole, name: string): string =>
  may(role, "buyers.see") ? name : maskedName(name);

const HIDDEN = "•••";
const KEPT_DIGITS = 2;

const maskedName = (name: string): string => {
  const [first = "", ...others] = name.trim().split(/\s+/);
  return [first, ...others.slice(-1).map((last) => `${last[0] ?? ""}.`)].join(" ");
};

function maskedEmail(email: string): string {
  // Buyers of payment links may leave it out.
  if (email === "") return "";
  const [local = "", domain = ""] = email.split("@");
  return `${local[0] ?? ""}${HIDDEN}@${domain}`;
}

const maskedDocument = (number: string | null): string | null => (number === null ? null : maskedNumber(number));

const maskedNumber = (number: string): string => `${HIDDEN}${number.slice(-KEPT_DIGITS)}`;
