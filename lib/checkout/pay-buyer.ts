import { questionToken } from "@/lib/captcha/question";
import { fraudAnalysis } from "@/lib/charges/fraud-analysis";
import type { Person, Reader, TypedAddress, TypedForm } from "@/lib/checkout/form";
import type { FieldName } from "@/lib/checkout/view";
import type { createBuyer } from "@/lib/customers/service";
import type { SessionRow } from "@/lib/sessions/state";

/** Buyers of a link may leave their e-mail and telephone out; an empty text says so. */
export const typedBuyer = (person: Person, address?: TypedAddress): Parameters<typeof createBuyer>[1] => ({
  name: person.name,
  email: person.email,
  phoneNumber: "",
  document: { ...person.document, country: "BR" },
  address,
});

/** What happens to a subscription, and the link to it, are written of. */
export function demandEmail({ customerId }: SessionRow, { email }: Person, reader: Reader): void {
  if (!customerId && email === "" && !hasProblem(reader, "email"))
    reader.problems.push({ field: "email", isEmpty: true });
}

const hasProblem = ({ problems }: Reader, field: FieldName): boolean => problems.some((one) => one.field === field);

export const analysisOf = ({ name, document, email }: Person, ip: string) =>
  fraudAnalysis.parse({
    customer: {
      ...(name ? { name } : {}),
      ...(email ? { email } : {}),
      identityType: document.type,
      identity: document.number,
      browser: { ipAddress: ip },
    },
  });

/** Of a form without scripts the question's answer. */
export function captchaOf(form: TypedForm): string | null {
  const signed = form.get("captchaQuestion");
  if (signed && !form.get("captcha")) return questionToken(signed, form.get("captchaAnswer") ?? "");
  return form.get("captcha") || null;
}
