import type { ReactElement } from "react";
import { comesFromUs } from "@/app/(checkout)/visitor";
import {
  LeaveWalletPage,
  SandboxWalletPage,
  type SandboxWalletView,
  type WalletEnd,
} from "@/components/checkout/sandbox-wallet";
import { env } from "@/lib/env";
import { localeFor } from "@/lib/i18n/locales";
import { isUuid } from "@/lib/ids";
import { actAtWallet, isWalletAct, visitWallet, type WalletVisit } from "@/lib/providers/sandbox/api/wallet";
import { lookOfShop } from "@/lib/settings/brand";

interface RouteContext {
  params: Promise<{ id: string }>;
}

const HTML = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "x-robots-tag": "noindex" };

async function answer(status: number, document: ReactElement): Promise<Response> {
  // Resolved when the server runs: the bundler gives route handlers a React without a renderer.
  const { renderToStaticMarkup } = await import(/* turbopackIgnore: true */ "react-dom/server");
  return new Response(`<!doctype html>${renderToStaticMarkup(document)}`, { status, headers: HTML });
}

const localeOf = (request: Request) => localeFor(undefined, request.headers.get("accept-language"));

const page = (request: Request, status: number, view?: SandboxWalletView): Promise<Response> =>
  answer(status, <SandboxWalletPage view={view} locale={localeOf(request)} />);

async function visitAt({ params }: RouteContext): Promise<WalletVisit | undefined> {
  const { id } = await params;
  return env().SANDBOX_ENABLED && isUuid(id) ? visitWallet(id) : undefined;
}

const ENDS: Readonly<Record<string, WalletEnd>> = { authorized: "paid", failed: "declined", canceled: "canceled" };
const WALLETS: Readonly<Record<string, SandboxWalletView["wallet"]>> = { nupay: "nupay", drip: "drip" };

async function viewOf(visit: WalletVisit): Promise<SandboxWalletView> {
  const { ctx, charge, isOpen, hasRunOut } = visit;
  const { name } = await lookOfShop(ctx, charge.merchantId);
  return {
    shop: name,
    wallet: WALLETS[charge.paymentType] ?? "other",
    amount: charge.amount,
    currency: charge.currency,
    end: isOpen ? undefined : hasRunOut ? "expired" : (ENDS[charge.status] ?? "over"),
    back: wayBack(visit, charge.status === "authorized"),
  };
}

/** As a wallet does it: who has paid and who has not may go on at different pages. */
function wayBack({ returnUrl, cancelUrl }: WalletVisit, isPaid: boolean): string | null {
  return [isPaid ? returnUrl : (cancelUrl ?? returnUrl)].find(isWebPage) ?? null;
}

const isWebPage = (url: unknown): url is string =>
  typeof url === "string" && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** The simulated wallet's page. */
export async function GET(request: Request, context: RouteContext): Promise<Response> {
  const visit = await visitAt(context);
  return visit ? page(request, 200, await viewOf(visit)) : page(request, 404);
}

/** The buyer pays, is declined or goes away, and is back at the shop's payment, which knows of it by then. */
export async function POST(request: Request, context: RouteContext): Promise<Response> {
  const act = new URLSearchParams(await request.text()).get("act");
  const visit = await visitAt(context);
  if (!visit) return page(request, 404);
  if (!comesFromUs(request)) return page(request, 403, await viewOf(visit));
  if (!isWalletAct(act)) return page(request, 400, await viewOf(visit));
  const isDone = await actAtWallet(visit, act);
  const back = isDone ? wayBack(visit, act === "pay") : null;
  if (back === null) {
    const after = (await visitAt(context)) ?? visit;
    return page(request, isDone ? 200 : 409, await viewOf(after));
  }
  if (new URL(back).origin === new URL(env().BASE_URL).origin)
    return new Response(null, { status: 303, headers: { location: back } });
  return answer(200, <LeaveWalletPage to={back} locale={localeOf(request)} />);
}
