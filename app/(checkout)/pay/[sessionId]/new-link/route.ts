import { stageOf } from "@/app/(checkout)/frame";
import { closed, guarded, linkPage } from "@/app/(checkout)/link";
import { comesFromUs, visitorOf } from "@/app/(checkout)/visitor";
import { containsPan } from "@/lib/brazil/card-brand";
import { aboutOf } from "@/lib/checkout/about";
import { emailOf, formOf, type TypedForm } from "@/lib/checkout/form";
import { methodKinds } from "@/lib/checkout/methods";
import { requestLink } from "@/lib/checkout/new-link";
import type { AskProblem, ClosedState, ClosedView } from "@/lib/checkout/view";
import { now } from "@/lib/context";
import { linkStateOf } from "@/lib/sessions/state";

interface RouteContext {
  params: Promise<{ sessionId: string }>;
}

const MOST_BYTES = 4_096;
const LONGEST_NAME = 120;
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
    const stage = await stageOf(visitor, opened, sessionId);
    const asked = askedIn(form);
    const told = { about: aboutOf(session, now(ctx)), date: session.dueAt };
    if (asked.problems.length > 0) return closed(visitor, stage, state, { ...told, newLink: "form", asked });
    const { visit, locale } = visitor;
    const { name, email } = asked;
    const isTold = await requestLink(ctx, {
      sessionId,
      visit,
      locale,
      name: name || undefined,
      email: email || undefined,
    });
    return closed(visitor, stage, state, { ...told, newLink: isTold ? "sent" : "again", asked });
  });
}

/** Neither is asked for, and what is given can be used. */
function askedIn(form: TypedForm): NonNullable<ClosedView["asked"]> {
  const typed = (field: AskProblem["field"]) => form.get(field)?.trim() ?? "";
  const fields = (["name", "email"] as const).map((field) => ({ field, isCard: containsPan(typed(field)) }));
  const email = emailOf(typed("email"));
  const kept = (field: AskProblem["field"], text: string) =>
    fields.some((each) => each.field === field && each.isCard) ? "" : text;
  return {
    name: kept("name", typed("name").slice(0, LONGEST_NAME)),
    email: kept("email", email || typed("email")),
    problems: fields.filter(
      ({ field, isCard }) => isCard || (field === "email" && typed("email") !== "" && email === ""),
    ),
  };
}
