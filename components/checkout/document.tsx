import type { ReactNode } from "react";
import { Icon } from "@/components/checkout/icons";
import { STYLE } from "@/components/checkout/style";
import { getTranslations } from "@/components/checkout/words";
import { themeCss } from "@/lib/branding/css";
import { NO_COLOURS } from "@/lib/branding/palette";
import type { Frame, ShopView } from "@/lib/checkout/view";

interface Props {
  readonly frame: Frame;
  readonly title: string;
  /** Scripts that enhance this page, by their names. */
  readonly islands?: readonly string[];
  /** What the scripts are told: words and addresses, never anything secret. */
  readonly data?: object;
  readonly state: string;
  readonly side?: ReactNode;
  readonly children: ReactNode;
  readonly refreshSeconds?: number;
  /** What becomes of what is typed here, where that is more than a payment; null where nothing is. */
  readonly privacy?: string | null;
  /** The page has a button to the shop's site. */
  readonly leadsToShop?: boolean;
  /** Where the page leads by itself at once. */
  readonly goesTo?: string;
}

/** Pages on which something can be paid. */
const PAYABLE: ReadonlySet<string> = new Set([
  "open",
  "authenticate",
  "pix",
  "boleto",
  "boletoOverdue",
  "wallet",
  "mandate",
]);

/** The whole page. Nothing here runs in the browser; what runs there is added by the islands. */
export function CheckoutDocument(props: Props) {
  const {
    frame,
    title,
    islands = [],
    data,
    state,
    side,
    children,
    refreshSeconds,
    privacy,
    goesTo,
    leadsToShop = false,
  } = props;
  const { locale, nonce, shop, isSandbox } = frame;
  const t = getTranslations("checkout", locale);
  const css = `${themeCss(shop?.colours ?? NO_COLOURS, frame.scheme)}${STYLE}`;
  return (
    <html lang={locale} className={isSandbox ? "with-test" : undefined}>
      {/* biome-ignore lint/style/noHeadElement: no page of Next's, its Head has no place here */}
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        {frame.embedder ? <meta name="trilho-embedder" content={frame.embedder} /> : null}
        {goesTo ? <meta httpEquiv="refresh" content={`0;url=${goesTo}`} /> : null}
        {refreshSeconds ? (
          <noscript>
            <meta httpEquiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        ) : null}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own stylesheet and checked colours */}
        <style nonce={nonce} dangerouslySetInnerHTML={{ __html: css }} />
        {islands.map((name) => (
          <script key={name} type="module" nonce={nonce} src={frame.script(name)} />
        ))}
      </head>
      <body data-state={state}>
        <a className="skip" href="#main">
          {t(PAYABLE.has(state) ? "page.skip" : "page.skipToContent")}
        </a>
        {isSandbox ? <aside className="test">{t("page.sandbox")}</aside> : null}
        {side ? (
          <div className="page cols">
            <header className="side">
              <div>
                <Shop shop={shop} frame={frame} />
                {side}
              </div>
            </header>
            <main id="main">
              {children}
              <Footer frame={frame} privacy={privacy} leadsToShop={leadsToShop} />
            </main>
          </div>
        ) : (
          <div className="page wide">
            <header>
              <Shop shop={shop} frame={frame} />
            </header>
            <main id="main">{children}</main>
            <Footer frame={frame} privacy={privacy} leadsToShop={leadsToShop} />
          </div>
        )}
        <p className="vh" aria-live="polite" id="polite" />
        <p className="vh" aria-live="assertive" id="assertive" />
        {data ? (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a data block; only a "<" could end it, and none is left
          <script type="application/json" id="data" dangerouslySetInnerHTML={{ __html: safeJson(data) }} />
        ) : null}
      </body>
    </html>
  );
}

/** Inside a script element only a `<` could end it. */
const safeJson = (data: object): string => JSON.stringify(data).replaceAll("<", "\\u003c");

function Shop({ shop, frame }: { shop: ShopView | null; frame: Frame }) {
  if (!shop) return null;
  const t = getTranslations("checkout", frame.locale);
  const { logo, name } = shop;
  const initial = [...name][0]?.toUpperCase() ?? "";
  return (
    <p className="shop">
      {logo ? (
        // biome-ignore lint/performance/noImgElement: stored at the size it is shown in
        <img
          src={logo.url}
          width={logo.width}
          height={logo.height}
          alt={t("page.shopLogo", { shop: name })}
          fetchPriority="low"
        />
      ) : (
        <span className="mono" aria-hidden="true">
          {initial}
        </span>
      )}
      <span>{name}</span>
    </p>
  );
}

interface FooterProps {
  readonly frame: Frame;
  readonly privacy: string | null | undefined;
  readonly leadsToShop: boolean;
}

/** Where nobody's link is, nothing is paid: only the language is left to choose. */
function Footer({ frame, privacy, leadsToShop }: FooterProps) {
  const { locale, languages, languageForm, shop } = frame;
  const t = getTranslations("checkout", locale);
  const language = (which: "pt-BR" | "en", label: string) =>
    which === locale ? (
      <b lang={which} aria-current="true">
        {label}
      </b>
    ) : languageForm ? (
      <button
        lang={which}
        type="submit"
        form={languageForm.id}
        formAction={languageForm.action && `${languageForm.action}?${languages[which].split("?")[1] ?? ""}`}
        name="to"
        value={which}
        formNoValidate
      >
        {label}
      </button>
    ) : (
      <a lang={which} hrefLang={which} href={languages[which]}>
        {label}
      </a>
    );
  return (
    <footer className="foot">
      {shop ? (
        <>
          <p>
            <Icon name="lock" size={15} />
            {t("page.secure")} · {t("page.processedBy")}
          </p>
          {privacy === null ? null : <p>{privacy ?? t("page.privacy")}</p>}
        </>
      ) : null}
      <nav aria-label={t("page.language")}>
        {language("pt-BR", t("page.portuguese"))}
        {language("en", t("page.english"))}
        {shop?.supportEmail ? <a href={`mailto:${shop.supportEmail}`}>{shop.supportEmail}</a> : null}
        {shop?.siteUrl && !frame.isEmbedded && !leadsToShop ? (
          <a href={shop.siteUrl} target="_blank" rel="noopener noreferrer">
            {t("page.visitShop")}
            <span className="vh">({t("page.newTab")})</span>
          </a>
        ) : null}
      </nav>
    </footer>
  );
}
