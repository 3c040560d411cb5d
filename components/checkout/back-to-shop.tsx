import { CheckoutDocument } from "@/components/checkout/document";
import { getTranslations } from "@/components/checkout/words";
import type { Frame } from "@/lib/checkout/view";

/**
 * From the bank to the shop's own page. A page of its own and no redirect: a bank's policy for its forms may name our
 * origin alone, and browsers hold the whole chain of redirects to it.
 */
export function BackToShop({ frame, to }: { frame: Frame; to: string }) {
  const t = getTranslations("checkout", frame.locale);
  const shop = frame.shop?.name ?? "";
  return (
    <CheckoutDocument
      frame={frame}
      title={t("page.stateTitle", { heading: t("back.heading"), shop })}
      state="back"
      goesTo={to}
    >
      <div className="state">
        <h1>{t("back.heading")}</h1>
        <div className="stack">
          <a className="btn" href={to}>
            {t("back.go", { shop })}
          </a>
        </div>
      </div>
    </CheckoutDocument>
  );
}
