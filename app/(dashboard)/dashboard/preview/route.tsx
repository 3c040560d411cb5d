import { getLocale } from "next-intl/server";
import { newNonce } from "@/app/(checkout)/answer";
import { shownLogo } from "@/app/(checkout)/frame";
import { type PreviewQuery, previewQuery } from "@/app/(dashboard)/dashboard/preview/query";
import { memberOf, notMember, type OnAccount } from "@/app/(dashboard)/operator-context";
import { ClosedPage } from "@/components/checkout/closed-page";
import { OpenPage } from "@/components/checkout/open-page";
import { PaymentPage } from "@/components/checkout/payment-page";
import { forcedCss, schemeCss, themeCss } from "@/lib/branding/css";
import { NO_COLOURS } from "@/lib/branding/palette";
import { addDays, endOfSaoPauloDay, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Sample, sampleOf } from "@/lib/checkout/samples";
import type { Frame, ShopView } from "@/lib/checkout/view";
import { inTransaction, now } from "@/lib/context";
import { findMerchant } from "@/lib/merchants/queries";
import { may } from "@/lib/operators/permissions";
import { lookOfShop, type ShopLook } from "@/lib/settings/brand";
import { logoUrl } from "@/lib/settings/logo-address";
import { checkoutRulesOf, looksOf, worn } from "@/lib/settings/look";

const SAMPLE_AMOUNT = 24_990;
const PIX_SECONDS = 3_600;
const BOLETO_DAYS = 3;
const SAMPLE_ITEM = { "pt-BR": "Tênis de corrida", en: "Running shoes" } as const;

/**
 * The checkout as its buyers would see it, with settings and terms that nobody saved: the real pages, made by the
 * server about a payment that does not exist. Nothing in it runs, is sent, or leads anywhere.
 */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const isAllowed = may(member.role, "brand.edit") || may(member.role, "links.edit");
  if (!isAllowed) return new Response(null, { status: 404 });
  const query = previewQuery(await getLocale()).parse(Object.fromEntries(new URL(request.url).searchParams));
  const nonce = newNonce();
  const { frame, sample } = await staged(member, query, nonce);
  // Resolved when the server runs: the bundler gives route handlers a React without a renderer.
  const { renderToStaticMarkup } = await import(/* turbopackIgnore: true */ "react-dom/server");
  const html = renderToStaticMarkup(pageOf(frame, sample));
  return new Response(`<!doctype html>${still(html, frame, query)}`, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policyOf(nonce),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex",
      "cache-control": "no-store",
    },
  });
}

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    // No policy above lets a script run; the word only keeps the tools that look at pages at work in this one too.
    "sandbox allow-same-origin allow-scripts",
  ].join("; ");

function pageOf(frame: Frame, sample: Sample) {
  if (sample.kind === "open") return <OpenPage frame={frame} view={sample.view} />;
  if (sample.kind === "closed") return <ClosedPage frame={frame} view={sample.view} about={sample.about} />;
  return <PaymentPage frame={frame} view={sample.view} />;
}

/** Without scripts, links or a choice of scheme: a picture of the page that is asked for. */
function still(html: string, { shop }: Frame, { scheme }: PreviewQuery): string {
  const colours = shop?.colours ?? NO_COLOURS;
  const css = scheme === "forced" ? forcedCss("light") : schemeCss(colours, scheme);
  return (
    html
      .replace(themeCss(colours), () => css)
      .replaceAll("@media(forced-colors:active)", scheme === "forced" ? "@media all" : "@media not all")
      .replaceAll(/<script\b[^>]*>.*?<\/script>/gs, "")
      .replaceAll(/(<a\b[^>]*?) href="[^"#][^"]*"/g, '$1 href="#main"')
      // Its landmarks stand beside those of the page that shows it.
      .replaceAll(/<(main|header|footer|aside)\b/g, '<$1 aria-label="checkout"')
      .replaceAll(/ target="_blank"/g, "")
  );
}

async function staged({ ctx }: OnAccount, query: PreviewQuery, nonce: string) {
  const isKnown = query.merchant && (await inTransaction(ctx, (inside) => findMerchant(inside, query.merchant ?? "")));
  const merchantId = isKnown ? query.merchant : null;
  const saved = await lookOfShop(ctx, merchantId);
  const isGiven = query.look === "given";
  const rules = isGiven
    ? { severalCards: query.severalCards === "yes", captcha: query.captcha === "yes", leastPart: query.leastPart ?? 0 }
    : checkoutRulesOf(worn(await looksOf(ctx, merchantId)));
  const shop = isGiven ? { ...saved, ...givenLook(query) } : saved;
  const at = now(ctx);
  const amount = query.amount ?? SAMPLE_AMOUNT;
  const most = rules.leastPart > 0 ? Math.max(1, Math.floor(amount / rules.leastPart)) : query.installments;
  const title = query.name || SAMPLE_ITEM[query.lang];
  const sample = sampleOf(
    query.state,
    {
      amount,
      name: title,
      item: title,
      orderId: query.orderId || null,
      dueAt: query.dueDate ? endOfSaoPauloDay(query.dueDate) : null,
      captcha: rules.captcha,
      takesSeveralCards: rules.severalCards,
      subscription: query.interval && {
        interval: query.interval,
        cycles: query.cycles,
        trial: query.trialDays ? { days: query.trialDays } : null,
      },
      methods: (query.interval ? (["credit"] as const) : query.methods).map((paymentType) => ({
        paymentType,
        ...(paymentType === "credit" ? { installments: Math.min(most, query.installments) } : {}),
        ...(paymentType === "pix" ? { expiresIn: PIX_SECONDS } : {}),
        ...(paymentType === "boleto" ? { expiresDate: query.dueDate ?? addDays(saoPauloDay(at), BOLETO_DAYS) } : {}),
      })),
    },
    at,
  );
  return { frame: frameOf(query, nonce, shop, ctx.account.mode === "sandbox"), sample };
}

const givenLook = (query: PreviewQuery): Pick<ShopLook, "colours" | "logo" | "siteUrl" | "supportEmail"> => ({
  colours: {
    mainColor: query.mainColor,
    secondaryColor: query.secondaryColor,
    attentionColor: query.attentionColor,
    errorColor: query.errorColor,
    successColor: query.successColor,
    backgroundColor: query.backgroundColor,
  },
  logo: query.logo ? { url: logoUrl(query.logo), width: query.logoWidth, height: query.logoHeight } : null,
  siteUrl: query.siteUrl,
  supportEmail: query.supportEmail,
});

function frameOf({ lang, state }: PreviewQuery, nonce: string, shop: ShopLook, isSandbox: boolean): Frame {
  // The same page for every address that is no link: it is nobody's.
  const shown: ShopView | null =
    state === "closed.unknown" ? null : { ...shop, logo: shop.logo && shownLogo(shop.logo) };
  return {
    locale: lang,
    nonce,
    base: "",
    languages: { "pt-BR": "#main", en: "#main" },
    shop: shown,
    isSandbox,
    isEmbedded: false,
    scheme: null,
    embedder: null,
    // Taken out again below; a name, for React does not make a script without a source.
    script: (name) => `/checkout/${name}`,
    currency: "BRL",
  };
}
