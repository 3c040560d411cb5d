import type { ReactNode } from "react";
import { Container, Head, Hr, Html, Img, Link, Preview, Section, Text } from "react-email";
import { getTranslations as getCheckoutTranslations } from "@/components/checkout/words";
import { darkCss, schemeList } from "@/components/emails/dark";
import { getTranslations } from "@/components/emails/words";
import type { Tokens } from "@/lib/branding/palette";
import type { Locale } from "@/lib/i18n/locales";
import type { ShopLook } from "@/lib/settings/brand";

const FONTS = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const WIDTH_PX = 560;
const LOGO_HEIGHT_PX = 40;
const LOGO_MOST_WIDTH_PX = 240;

/** One column that reads well without its picture, and loads nothing else from anywhere. */
export function Layout(props: {
  locale: Locale;
  brand: ShopLook;
  look: Tokens;
  preview: string;
  isTest: boolean;
  /** Trilho writes in its own name. */
  isOwn: boolean;
  children: ReactNode;
}) {
  const { locale, brand, look, preview, isTest, isOwn, children } = props;
  const t = getTranslations("mail", locale);
  const schemes = schemeList(brand.colours);
  const small = { fontSize: "13px", lineHeight: "20px", color: look.muted, margin: "0 0 4px" };
  return (
    <Html lang={locale} dir="ltr">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={schemes} />
        <meta name="supported-color-schemes" content={schemes} />
        {darkCss(brand.colours).map((css) => (
          <style key={css}>{css}</style>
        ))}
      </Head>
      <Preview>{preview}</Preview>
      {/* The library's own body gives its cell no class. */}
      <body className="ground" style={{ backgroundColor: look.surface, margin: 0, padding: 0 }}>
        <table role="presentation" width="100%" border={0} cellPadding={0} cellSpacing={0}>
          <tbody>
            <tr>
              <td
                className="ground"
                style={{ backgroundColor: look.surface, color: look.text, fontFamily: FONTS, padding: "24px 12px" }}
              >
                {isTest ? (
                  <Container style={{ maxWidth: `${WIDTH_PX}px`, margin: "0 auto" }}>
                    <Text
                      className="muted"
                      style={{ ...small, textAlign: "center", fontWeight: 600, margin: "0 0 12px" }}
                    >
                      {getCheckoutTranslations("checkout", locale)("page.sandbox")}
                    </Text>
                  </Container>
                ) : null}
                <Container
                  className="panel"
                  style={{
                    maxWidth: `${WIDTH_PX}px`,
                    margin: "0 auto",
                    padding: "28px 24px",
                    backgroundColor: look.background,
                    border: `1px solid ${look.border}`,
                    borderRadius: "12px",
                  }}
                >
                  <Header brand={brand} look={look} />
                  <Section>{children}</Section>
                  <Hr className="rule" style={{ borderTop: `1px solid ${look.border}`, margin: "28px 0 16px" }} />
                  <Text className="muted" style={small}>
                    {isOwn ? t("footerOwn") : t("footerShop", { shop: brand.name })}
                  </Text>
                  {brand.supportEmail ? (
                    <Text className="muted" style={small}>
                      {t.rich("footerContact", {
                        email: () => (
                          <Link className="link" href={`mailto:${brand.supportEmail}`} style={{ color: look.link }}>
                            {brand.supportEmail}
                          </Link>
                        ),
                      })}
                    </Text>
                  ) : null}
                  {brand.siteUrl ? (
                    <Link className="link" href={brand.siteUrl} style={{ ...small, color: look.link }}>
                      {brand.siteUrl}
                    </Link>
                  ) : null}
                </Container>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </Html>
  );
}

function Header({ brand, look }: { brand: ShopLook; look: Tokens }) {
  if (brand.logo === null)
    return (
      <Text
        className="text"
        style={{ fontSize: "18px", lineHeight: "24px", fontWeight: 700, color: look.text, margin: "0 0 20px" }}
      >
        {brand.name}
      </Text>
    );
  const { url, width, height } = brand.logo;
  const scale = Math.min(LOGO_HEIGHT_PX / height, LOGO_MOST_WIDTH_PX / width, 1);
  return (
    <Img
      className="logo"
      src={url}
      alt={brand.name}
      width={Math.round(width * scale)}
      height={Math.round(height * scale)}
      style={{ color: look.text, fontSize: "18px", fontWeight: 700, margin: "0 0 20px" }}
    />
  );
}
