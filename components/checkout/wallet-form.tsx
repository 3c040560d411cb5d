import { CheckoutField, formId, PayButton } from "@/components/checkout/fields";
import { Hidden, HolderDocument, type MethodFormProps } from "@/components/checkout/method-forms";
import { getTranslations } from "@/components/checkout/words";

/** NuPay and Drip: who pays is asked here, how is asked on the provider's own page. */
export function WalletForm({ frame, method, state, isRepeat }: MethodFormProps) {
  const t = getTranslations("checkout", frame.locale);
  return (
    <form
      id={formId(method.kind)}
      method="post"
      action={`${frame.base}/${method.kind}`}
      data-form={method.kind}
      noValidate
    >
      <Hidden frame={frame} method={method} isRepeat={isRepeat} />
      <div className="grid">
        <CheckoutField state={state} field="name" label={t("field.name")} autoComplete="name" maxLength={120} />
        <HolderDocument state={state} label={t("field.document")} />
        <CheckoutField
          state={state}
          field="email"
          label={t("field.email")}
          isOptional
          type="email"
          inputMode="email"
          autoComplete="email"
          maxLength={254}
        />
      </div>
      <p className="note">{t("open.walletNext")}</p>
      <PayButton locale={frame.locale} icon="lock" text={t("button.continue")} />
    </form>
  );
}
