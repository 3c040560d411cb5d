import { payerParts } from "@/app/(dashboard)/dashboard/payments/words";
import { EmailText } from "@/components/dashboard/email-text";
import { maskTaxId } from "@/lib/brazil/cpf-cnpj";
import type { ListedPayment } from "@/lib/charges/search";
import type { ShownPayer } from "@/lib/operators/buyers";

interface PayerProps {
  payment: ListedPayment;
  /** Left on the link, where no customer was made of it. */
  payer: ShownPayer | undefined;
  none: string;
}

/** Who paid, as much as is known and the role sees. */
export function Payer({ payment, payer, none }: PayerProps) {
  const known = payerParts({ ...payment, kind: "charge" });
  const email = known?.email ?? payer?.email;
  const document = payment.buyer?.document ?? payer?.document;
  const name = known?.name ?? email;
  if (name === undefined && document === undefined) return none;
  return (
    <>
      {name}
      {email && email !== name ? (
        <span className="block text-ink-3 text-xs">
          <EmailText address={email} />
        </span>
      ) : null}
      {document ? <span className="block text-ink-3 text-xs tabular-nums">{maskTaxId(document)}</span> : null}
    </>
  );
}
