import { stageOf } from "@/app/(checkout)/frame";
import { closed, guarded, linkPage } from "@/app/(checkout)/link";
import { comesFromUs, visitorOf } from "@/app/(checkout)/visitor";
import { containsPan } from "@/lib/brazil/card-brand";
import { formOf } from "@/lib/checkout/form";
import { methodKinds } from "@/lib/checkout/methods";
import { requestLink } from "@/lib/checkout/new-link";
import type { ClosedState } from "@/lib/checkout/view";
import { now } from "@/lib/context";
import { linkStateOf } from "@/lib/sessions/state";

interface RouteContext {
  params: Promise<{ sessionId: string }>;
}

const MOST_BYTES = 4_096;
const STATES: Readonly<Record<string, ClosedState>> = {
  expired: "expired",
  // Somebody else paid it while this buyer was filling it in.
  paid: "paid",
  limit_reached: "limit",
  canceled: "canceled",
};

/** A buyer asks the shop for a link that can be paid. */
export async function POST(request: Request, { params }: RouteContext): Promise<Response> {
  const { sessionId } = await params;
  const form = formOf((await request.text()).slice(0, MOST_BYTES));
  const visitor = visitorOf(request, form);
  return guarded(visitor, sessionId, async (opened) => {
    const { ctx, session } = opened;
    const link = linkStateOf(session, now(ctx));
    const isPastBoleto = session.pastBoletoDay !== undefined && methodKinds(session).length === 0;
    const state = link === "open" && isPastBoleto ? "no_boleto" : STATES[link];
    if (state === undefined || !comesFromUs(request)) return linkPage(visitor, opened);
    const given = (name: string) => {
      const typed = form.get(name)?.trim() ?? "";
      return typed === "" || containsPan(typed) ? undefined : typed;
    };
    const { visit, locale } = visitor;
    const isTold = await requestLink(ctx, { sessionId, visit, locale, name: given("name"), email: given("email") });
    return closed(visitor, await stageOf(visitor, opened, sessionId), state, {
      date: session.dueAt,
      newLink: isTold ? "sent" : "again",
    });
  });
}
