import type { ReactNode } from "react";
import { money } from "@/components/checkout/formats";
import { getTranslations, under } from "@/components/checkout/words";
import type { Locale } from "@/lib/i18n/locales";

const ACTS = ["pay", "decline", "cancel"] as const;
export type WalletEnd = "paid" | "declined" | "canceled" | "expired" | "over";

export interface SandboxWalletView {
  readonly shop: string;
  readonly wallet: "nupay" | "drip" | "other";
  readonly amount: number;
  readonly currency: string;
  /** Undefined while the buyer may still decide. */
  readonly end: WalletEnd | undefined;
  /** To the payment at the shop; null where nobody said. */
  readonly back: string | null;
}

const STYLE = `
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; }
  body { display: grid; min-height: 100vh; margin: 0; place-items: center; }
  main { box-sizing: border-box; width: min(24rem, 100%); padding: 2rem 1rem; overflow-wrap: anywhere; }
  h1 { font-size: 1.25rem; }
  dt { opacity: 0.7; } dd { margin: 0 0 1rem; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
  form { margin-top: 0.75rem; }
  button, .button { box-sizing: border-box; display: block; width: 100%; min-height: 2.75rem; padding: 0.75rem 1.5rem;
    font: inherit; text-align: center; cursor: pointer; }`;

/** `to`: where the page leads by itself. */
function Shell({ locale, to, children }: { locale: Locale; to?: string; children: ReactNode }) {
  const t = getTranslations("checkout", locale);
  return (
    <html lang={locale}>
      {/* biome-ignore lint/style/noHeadElement: no page of Next's, its Head has no place here */}
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {to === undefined ? null : <meta httpEquiv="refresh" content={`0;url=${to}`} />}
        <title>{t("sandbox.wallet.heading")}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <style>{STYLE}</style>
      </head>
      <body>
        <main>
          <h1>{t("sandbox.wallet.heading")}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}

/** The simulated wallet's page: plain forms, and undefined for a payment that does not exist. */
export function SandboxWalletPage({ view, locale }: { view: SandboxWalletView | undefined; locale: Locale }) {
  const t = getTranslations("checkout", locale);
  return (
    <Shell locale={locale}>
      {view ? <Payment view={view} locale={locale} /> : <p>{t("sandbox.wallet.missing")}</p>}
    </Shell>
  );
}

function Payment({ view, locale }: { view: SandboxWalletView; locale: Locale }) {
  const t = getTranslations("checkout", locale);
  const { shop, wallet, amount, currency, end, back } = view;
  return (
    <>
      <p>{t("sandbox.wallet.lead")}</p>
      <dl>
        <dt>{t("receipt.shop")}</dt>
        <dd>{shop}</dd>
        <dt>{t("receipt.amount")}</dt>
        <dd>{money(locale, amount, currency)}</dd>
        <dt>{t("sandbox.wallet.wallet")}</dt>
        <dd>{t(under("receipt", `method_${wallet}`))}</dd>
      </dl>
      {end === undefined ? <Acts locale={locale} /> : <p role="status">{t(under("sandbox", `wallet.end.${end}`))}</p>}
      {end !== undefined && back !== null ? (
        <a className="button" href={back}>
          {t("button.back")}
        </a>
      ) : null}
    </>
  );
}

function Acts({ locale }: { locale: Locale }) {
  const t = getTranslations("checkout", locale);
  return ACTS.map((act) => (
    <form key={act} method="post">
      <button type="submit" name="act" value={act}>
        {t(under("sandbox", `wallet.act.${act}`))}
      </button>
    </form>
  ));
}

/** A policy of this page's forms would stop them on their way to another host: a page of its own leads there. */
export function LeaveWalletPage({ to, locale }: { to: string; locale: Locale }) {
  return (
    <Shell locale={locale} to={to}>
      <a className="button" href={to}>
        {getTranslations("checkout", locale)("button.back")}
      </a>
    </Shell>
  );
}
