import { env } from "@/lib/env";
import { isUuid } from "@/lib/ids";
import { passChallenge, showChallenge } from "@/lib/providers/sandbox/api/challenge";
import { challengePage, localeOf } from "@/lib/providers/sandbox/api/challenge-page";

interface RouteContext {
  params: Promise<{ id: string }>;
}

const HTML = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };

const page = (request: Request, shown: Parameters<typeof challengePage>[0]): Response =>
  new Response(challengePage(shown, localeOf(request.headers.get("accept-language"))), {
    status: shown ? 200 : 404,
    headers: HTML,
  });

const seeOther = (location: string): Response => new Response(null, { status: 303, headers: { location } });

const known = async (context: RouteContext): Promise<string | undefined> => {
  const { id } = await context.params;
  return env().SANDBOX_ENABLED && isUuid(id) ? id : undefined;
};

/** The simulated issuer's page. */
export async function GET(request: Request, context: RouteContext): Promise<Response> {
  const id = await known(context);
  return page(request, id === undefined ? undefined : await showChallenge(id));
}

/** The buyer continues; a shop's own form that is posted here with its first step leads to the page. */
export async function POST(request: Request, context: RouteContext): Promise<Response> {
  const id = await known(context);
  if (id === undefined) return page(request, undefined);
  const isFirstStep = new URLSearchParams(await request.text()).has("PaReq");
  const shown = await showChallenge(id);
  // Shown by a GET, so that whoever comes back to it by the browser's own button sees it.
  if (isFirstStep && shown?.isOpen) return seeOther(`/sandbox/3ds/${id}`);
  // A challenge that is over leads straight back, as an issuer's own page does.
  const back = await passChallenge(id);
  return back ? seeOther(back) : page(request, shown);
}
