import { POST as pay, GET as payAgain } from "@/app/(checkout)/pay/[sessionId]/[method]/route";
import { POST as askNewLink } from "@/app/(checkout)/pay/[sessionId]/new-link/route";
import { GET as slip } from "@/app/(checkout)/pay/[sessionId]/p/[paymentToken]/boleto.pdf/route";
import { POST as check } from "@/app/(checkout)/pay/[sessionId]/p/[paymentToken]/check/route";
import { POST as leave, GET as leaveAgain } from "@/app/(checkout)/pay/[sessionId]/p/[paymentToken]/leave/route";
import { GET as receipt } from "@/app/(checkout)/pay/[sessionId]/p/[paymentToken]/receipt.pdf/route";
import { POST as renew } from "@/app/(checkout)/pay/[sessionId]/p/[paymentToken]/renew/route";
import { GET as paymentPage } from "@/app/(checkout)/pay/[sessionId]/p/[paymentToken]/route";
import { POST as simulate } from "@/app/(checkout)/pay/[sessionId]/p/[paymentToken]/simulate/route";
import { GET as status } from "@/app/(checkout)/pay/[sessionId]/p/[paymentToken]/status/route";
import { POST as recall, GET as recallAgain } from "@/app/(checkout)/pay/[sessionId]/remembered/route";
import { GET as comeBack } from "@/app/(checkout)/pay/[sessionId]/return/route";
import { GET as linkPage } from "@/app/(checkout)/pay/[sessionId]/route";
import { POST as report } from "@/app/(checkout)/pay/csp-reports/route";
import { POST as cancelSubscription } from "@/app/(checkout)/pay/s/[subscriptionId]/cancel/route";
import { GET as challenge } from "@/app/(checkout)/pay/s/[subscriptionId]/captcha/route";
import { POST as changeCard } from "@/app/(checkout)/pay/s/[subscriptionId]/card/route";
import { POST as askCardLink } from "@/app/(checkout)/pay/s/[subscriptionId]/link/route";
import { GET as subscriptionPage } from "@/app/(checkout)/pay/s/[subscriptionId]/route";
import { type Buyer, type Habits, visitorOf } from "@/lib/testing/buyer";
import { buildIslands } from "@/scripts/start/islands";

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

/** What a buyer's browser asks for, most particular first. */
const ROUTES: readonly (readonly [string, RegExp, unknown])[] = [
  ["GET", /^\/pay\/(?<sessionId>[^/]+)$/, linkPage],
  ["GET", /^\/pay\/(?<sessionId>[^/]+)\/return$/, comeBack],
  ["GET", /^\/pay\/(?<sessionId>[^/]+)\/p\/(?<paymentToken>[^/]+)$/, paymentPage],
  ["GET", /^\/pay\/(?<sessionId>[^/]+)\/p\/(?<paymentToken>[^/]+)\/status$/, status],
  ["GET", /^\/pay\/(?<sessionId>[^/]+)\/p\/(?<paymentToken>[^/]+)\/boleto\.pdf$/, slip],
  ["GET", /^\/pay\/(?<sessionId>[^/]+)\/p\/(?<paymentToken>[^/]+)\/receipt\.pdf$/, receipt],
  ["POST", /^\/pay\/(?<sessionId>[^/]+)\/p\/(?<paymentToken>[^/]+)\/renew$/, renew],
  ["POST", /^\/pay\/(?<sessionId>[^/]+)\/p\/(?<paymentToken>[^/]+)\/simulate$/, simulate],
  ["POST", /^\/pay\/(?<sessionId>[^/]+)\/p\/(?<paymentToken>[^/]+)\/check$/, check],
  ["POST", /^\/pay\/(?<sessionId>[^/]+)\/p\/(?<paymentToken>[^/]+)\/leave$/, leave],
  ["GET", /^\/pay\/(?<sessionId>[^/]+)\/p\/(?<paymentToken>[^/]+)\/leave$/, leaveAgain],
  ["GET", /^\/pay\/s\/(?<subscriptionId>[^/]+)$/, subscriptionPage],
  ["GET", /^\/pay\/s\/(?<subscriptionId>[^/]+)\/captcha$/, challenge],
  ["POST", /^\/pay\/s\/(?<subscriptionId>[^/]+)\/card$/, changeCard],
  ["POST", /^\/pay\/s\/(?<subscriptionId>[^/]+)\/cancel$/, cancelSubscription],
  ["POST", /^\/pay\/s\/(?<subscriptionId>[^/]+)\/link$/, askCardLink],
  ["POST", /^\/pay\/csp-reports$/, report],
  ["POST", /^\/pay\/(?<sessionId>[^/]+)\/new-link$/, askNewLink],
  ["POST", /^\/pay\/(?<sessionId>[^/]+)\/remembered$/, recall],
  ["GET", /^\/pay\/(?<sessionId>[^/]+)\/remembered$/, recallAgain],
  ["POST", /^\/pay\/(?<sessionId>[^/]+)\/(?<method>[^/]+)$/, pay],
  ["GET", /^\/pay\/(?<sessionId>[^/]+)\/(?<method>[^/]+)$/, payAgain],
];

/** Serves the checkout's pages from their own handlers, with no server between. */
export async function serveCheckout(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (const [method, pattern, route] of ROUTES) {
    const found = pattern.exec(pathname);
    if (!found || method !== request.method) continue;
    // Guarantee: the pattern's groups are the parameters that its route declares.
    return (route as Route)(request, { params: Promise.resolve(found.groups as never) });
  }
  return new Response("no such page", { status: 404 });
}

/** Somebody whose browser is answered by the pages' own handlers. */
export async function newBuyer(habits: Habits = {}): Promise<Buyer> {
  await buildIslands();
  return visitorOf(serveCheckout, habits);
}
