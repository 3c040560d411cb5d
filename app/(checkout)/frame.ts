import { newNonce } from "@/app/(checkout)/answer";
import { scriptAddress } from "@/app/(checkout)/inventory";
import type { Visitor } from "@/app/(checkout)/visitor";
import { captchaFrameUrl } from "@/lib/captcha/frame";
import type { Policy } from "@/lib/checkout/page-policy";
import type { Frame } from "@/lib/checkout/view";
import type { Context } from "@/lib/context";
import { env } from "@/lib/env";
import type { Locale } from "@/lib/i18n/locales";
import type { OpenedSession } from "@/lib/sessions/open";
import { paymentLinkOf } from "@/lib/sessions/serializer";
import { lookOfShop } from "@/lib/settings/brand";

export interface Stage {
  readonly frame: Frame;
  readonly policy: Policy;
}

/** The page in another language; of an answer to a form the page that it was sent from, one step above. */
function languages({ url, isForm, isEmbedded, scheme }: Visitor): Record<Locale, string> {
  const page = isForm ? `../${url.pathname.split("/").at(-2)}` : "";
  const to = (locale: Locale) => {
    const query = new URLSearchParams(url.search);
    query.set("lang", locale);
    if (isEmbedded) query.set("embed", scheme ?? "1");
    return `${page}?${query}`;
  };
  return { "pt-BR": to("pt-BR"), en: to("en") };
}

/** What every page of a link stands in; without a link it is nobody's. */
export async function stageOf(visitor: Visitor, opened: OpenedSession | undefined, sessionId: string): Promise<Stage> {
  const nonce = newNonce();
  const brand = opened && (await lookOfShop(opened.ctx, opened.session.merchantId));
  const embedder = visitor.isEmbedded && brand?.siteUrl ? new URL(brand.siteUrl).origin : null;
  const isEmbedded = embedder !== null;
  const captchaFrame = opened ? captchaFrameUrl(sessionId, visitor.locale) : null;
  return {
    frame: {
      locale: visitor.locale,
      nonce,
      base: new URL(paymentLinkOf(sessionId)).pathname,
      languages: languages(visitor),
      shop: brand ? { ...brand, logo: brand.logo && shownLogo(brand.logo) } : null,
      isSandbox: opened?.ctx.account.mode === "sandbox",
      isEmbedded,
      scheme: isEmbedded ? visitor.scheme : null,
      embedder,
      script: scriptAddress,
      captchaFrame,
      currency: opened?.session.currency ?? "BRL",
    },
    policy: {
      nonce,
      ...(embedder ? { ancestors: embedder } : {}),
      ...(captchaFrame ? { frames: new URL(captchaFrame).origin } : {}),
    },
  };
}

/** Of the page of a subscription, which no other page frames and whose captcha is our own. */
export async function subscriptionStage(
  visitor: Visitor,
  { ctx, merchantId }: { ctx: Context; merchantId: string },
  base: string,
): Promise<Stage> {
  const nonce = newNonce();
  const brand = await lookOfShop(ctx, merchantId);
  return {
    frame: {
      locale: visitor.locale,
      nonce,
      base,
      languages: languages(visitor),
      shop: { ...brand, logo: brand.logo && shownLogo(brand.logo) },
      isSandbox: ctx.account.mode === "sandbox",
      isEmbedded: false,
      scheme: null,
      embedder: null,
      script: scriptAddress,
      captchaFrame: null,
      currency: "BRL",
    },
    policy: { nonce },
  };
}

const MOST_WIDTH = 144;
const MOST_HEIGHT = 44;

/** Pictures come from the page's own origin, at the size they are shown in. */
export function shownLogo({ url, width, height }: { url: string; width: number; height: number }) {
  const scale = Math.min(1, MOST_WIDTH / width, MOST_HEIGHT / height);
  const own = url.startsWith(env().BASE_URL) ? url.slice(env().BASE_URL.length) : url;
  return { url: own, width: Math.round(width * scale), height: Math.round(height * scale) };
}
