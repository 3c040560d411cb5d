import { seeOther } from "@/app/(checkout)/answer";
import { stageOf } from "@/app/(checkout)/frame";
import { guarded, linkPage } from "@/app/(checkout)/link";
import { askedCodeCookie, comesFromUs, type Visitor, visitorOf } from "@/app/(checkout)/visitor";
import { sealAskedCode } from "@/lib/checkout/asked-code";
import { emailOf, formOf } from "@/lib/checkout/form";
import { enterCode, forget, sendCode } from "@/lib/checkout/remembered";
import { shownAs } from "@/lib/checkout/view";
import { readAttempt } from "@/lib/checkout/visit";

interface RouteContext {
  params: Promise<{ sessionId: string }>;
}

/** Known by a code sent by e-mail, and forgotten again. Whether an address is remembered is told to nobody. */
export async function POST(request: Request, { params }: RouteContext): Promise<Response> {
  const { sessionId } = await params;
  const form = new Map(formOf(await request.text()));
  // The page as it is, in another language.
  const to = form.get("to");
  if (to) form.set("lang", to);
  const asked = visitorOf(request, form);
  // The form's own visit holds where a browser keeps no cookies.
  const visit = readAttempt(sessionId, form.get("attempt") ?? "")?.visit ?? asked.visit;
  const url = new URL(asked.url);
  url.searchParams.set("method", form.get("method") ?? "");
  // These forms stand beside the methods: there the buyer stays, also while a code waits.
  url.searchParams.set("other", "1");
  const visitor = { ...asked, visit, url };
  const { locale } = visitor;
  return guarded(visitor, sessionId, async (opened) => {
    const { ctx, session } = opened;
    if (!comesFromUs(request)) return linkPage(visitor, opened, { notice: { kind: "problem", problem: "origin" } });
    const email = emailOf(form.get("email") ?? "");
    const { frame } = await stageOf(visitor, opened, sessionId);
    const keeping = (sealed: string): Visitor => ({
      ...visitor,
      askedCode: sealed || undefined,
      cookies: [...visitor.cookies, askedCodeCookie(sealed, frame.base, visitor)],
    });
    const step = form.get("step");
    switch (step) {
      case "send":
      case "again":
        if (!email) return linkPage(visitor, opened, { recall: { step: "email", isWrong: true } });
        await sendCode(ctx, { session, visit, email, locale });
        return linkPage(keeping(sealAskedCode(sessionId, visit, email)), opened, {
          recall: { step: "code", email, isWrong: false, isAgain: step === "again" },
        });
      case "code": {
        const typed = form.get("code") ?? "";
        if (to) return linkPage(visitor, opened, { recall: { step: "code", email, isWrong: false, typed } });
        const isKnown = await enterCode(ctx, visit, typed);
        return isKnown
          ? linkPage(keeping(""), opened, { recall: { step: "offer" } })
          : linkPage(visitor, opened, { recall: { step: "code", email, isWrong: true } });
      }
      case "forget":
        await forget(ctx, visit);
        return linkPage(keeping(""), opened, { recall: { step: "forgotten" } });
      default:
        return linkPage(visitor, opened);
    }
  });
}

/** A page that came as an answer is loaded again, or its language is changed. */
export async function GET(request: Request, { params }: RouteContext): Promise<Response> {
  const { sessionId } = await params;
  const visitor = visitorOf(request);
  return guarded(visitor, sessionId, async (opened) => {
    const { frame } = await stageOf(visitor, opened, sessionId);
    return seeOther(visitor, `${frame.base}?${shownAs(visitor)}`);
  });
}
