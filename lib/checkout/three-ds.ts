import { linkUrlOf } from "@/lib/checkout/payment-token";
import { returnUrlOf } from "@/lib/checkout/return-address";
import type { AttemptKey } from "@/lib/checkout/visit";
import { type Context, inTransaction } from "@/lib/context";
import type { Locale } from "@/lib/i18n/locales";
import { ableProviders } from "@/lib/payments/routing/record";
import { providerFor } from "@/lib/providers/registry";
import type { NewSessionCharge } from "@/lib/session-payments/schema";
import type { SessionRow } from "@/lib/sessions/state";

type ThreeDS = NonNullable<NewSessionCharge["threeDSecure2"]>;

/** What a request tells of the browser that sent it. */
export interface BrowserHeaders {
  readonly accept: string;
  readonly language: string;
  readonly userAgent: string;
}

export interface Challenged {
  readonly key: AttemptKey;
  readonly headers: BrowserHeaders;
  /** What the page's script saw of the screen; empty without scripts. */
  readonly screen: string;
  readonly ip: string;
  readonly locale: Locale;
  /** Around the frame in which the buyer pays. */
  readonly shopPage: string | null;
}

/** What goes along with a card so that its bank may ask the buyer; undefined where no provider could do anything with it. */
export async function threeDSFor(ctx: Context, session: SessionRow, of: Challenged): Promise<ThreeDS | undefined> {
  const asked = askedBy(session);
  if (!asked && !(await everybodyCan(ctx, session))) return undefined;
  return {
    ...UNSAID,
    redirectURL: returnUrlOf(session.id, of.key, of.locale, of.shopPage),
    requestorURL: new URL(linkUrlOf(session.id)).origin,
    browser: { ...screenOf(of.screen), ...headersOf(of), ip: of.ip },
    requiresLiabilityShift: asked?.liabilityShiftRequired ?? false,
  };
}

/** What a payment page knows nothing of. */
const UNSAID = {
  billingAddress: undefined,
  shippingAddress: undefined,
  cardHolder: undefined,
  setupId: undefined,
  dataOnly: undefined,
  mpi: undefined,
};

function askedBy({ paymentMethods }: SessionRow): { liabilityShiftRequired: boolean } | undefined {
  const threeDS = paymentMethods.find(({ paymentType }) => paymentType === "credit")?.threeDS;
  if (typeof threeDS !== "object" || threeDS === null || !("enabled" in threeDS) || threeDS.enabled !== true) return;
  return { liabilityShiftRequired: !("liabilityShiftRequired" in threeDS) || threeDS.liabilityShiftRequired !== false };
}

/** Where the link does not ask for it, the data goes along only if that leaves no provider out. */
async function everybodyCan(ctx: Context, { merchantId, currency }: SessionRow): Promise<boolean> {
  const needs = { method: "credit", currency, installments: 1, split: false, threeDS: false, authOnly: false } as const;
  const able = await inTransaction(ctx, (inside) => ableProviders(inside, merchantId, needs));
  // Where nobody can take it, the payment itself says so.
  return (
    able.length > 0 &&
    able.every(({ kind }) => {
      const { card } = providerFor(kind).capabilities;
      return card !== false && card.threeDS2 === "full";
    })
  );
}

const headersOf = ({ headers: { accept, language, userAgent } }: Challenged) => ({
  acceptHeader: accept || "*/*",
  language: /^[A-Za-z-]{2,8}/.exec(language)?.[0] ?? "pt-BR",
  userAgent: userAgent.slice(0, LONGEST_USER_AGENT),
  acceptBrowserValue: undefined,
  acceptContent: undefined,
});

const LONGEST_USER_AGENT = 2_048;
/** Of a browser without scripts nothing of this is known. */
const UNSEEN = { colorDepth: 24, screenHeight: 0, screenWidth: 0, timeZoneOffset: "180", javaEnabled: false };
const SCREEN = /^(\d{1,2}),(\d{1,5}),(\d{1,5}),(-?\d{1,4})$/;

function screenOf(told: string) {
  const [, depth, height, width, offset] = SCREEN.exec(told) ?? [];
  if (offset === undefined) return { ...UNSEEN, javaScriptEnabled: false };
  return {
    colorDepth: Number(depth),
    screenHeight: Number(height),
    screenWidth: Number(width),
    timeZoneOffset: offset,
    javaEnabled: false,
    javaScriptEnabled: true,
  };
}
