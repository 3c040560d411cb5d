import type { Action } from "@/lib/checkout/declines";
import { partChoices } from "@/lib/checkout/instalments";
import { linkMoments } from "@/lib/checkout/moments";
import type { MethodKind, MethodView, SavedCardView } from "@/lib/checkout/view";
import type { OfferedSession } from "@/lib/sessions/offered";
import { linkStateOf } from "@/lib/sessions/state";

/** A purchase by two cards needs at least a real on each. */
const LEAST_SPLIT_CENTS = 200;

const KIND_OF: Readonly<Record<string, MethodKind>> = {
  pix: "pix",
  credit: "card",
  boleto: "boleto",
  nupay: "nupay",
  drip: "drip",
};

/** The methods of the link in the shop's order; several cards follow the one card. */
export function methodKinds(session: OfferedSession): MethodKind[] {
  const canSplit =
    session.takesSeveralCards !== false &&
    // Each cycle is one charge of one card.
    session.subscription === null &&
    session.currency === "BRL" &&
    session.amount >= LEAST_SPLIT_CENTS &&
    session.splitRules.length === 0;
  return session.paymentMethods.flatMap(({ paymentType }) => {
    const kind = KIND_OF[paymentType];
    if (kind === undefined) return [];
    return kind === "card" && canSplit ? [kind, "cards" as const] : [kind];
  });
}

/** Whether something else than this type of payment can be chosen on the link. */
export const hasOtherMethod = ({ paymentMethods }: OfferedSession, than: string): boolean =>
  paymentMethods.some(({ paymentType }) => paymentType !== than && KIND_OF[paymentType] !== undefined);

/** Open, and with a method left: a boleto alone is none after its day. */
export const takesPayments = (session: OfferedSession, at: Date): boolean =>
  linkStateOf(session, at) === "open" && session.paymentMethods.length > 0;

interface MethodGiven {
  readonly attempt: string;
  readonly at: Date;
  readonly savedCards?: readonly SavedCardView[];
  /** What the shop's providers take; without it the session's own number stands. */
  readonly mostParts?: number | undefined;
  /** Without it those that most shops take. */
  readonly brands?: readonly string[] | undefined;
}

const USUAL_BRANDS = ["Visa", "Mastercard", "Elo", "HiperCard", "American Express"];

export function methodView(session: OfferedSession, kind: MethodKind, given: MethodGiven): MethodView {
  const { attempt, at, savedCards = [], mostParts = Number.POSITIVE_INFINITY, brands = USUAL_BRANDS } = given;
  const isByCard = kind === "card" || kind === "cards";
  const most = Math.min(linkMoments(session, at).mostParts, mostParts);
  return {
    kind,
    parts: isByCard ? partChoices(session.amount, most, session.leastPart) : [],
    leastPart: session.leastPart ?? 0,
    dueOn: kind === "boleto" ? dueOn(session) : null,
    savedCards: isByCard ? savedCards : [],
    brands: isByCard ? brands : [],
    attempt,
  };
}

function dueOn({ paymentMethods }: OfferedSession): string | null {
  const day = paymentMethods.find(({ paymentType }) => paymentType === "boleto")?.expiresDate;
  return typeof day === "string" ? day : null;
}

/** What the link offers after a refusal of one method. */
export function offeredActions(session: OfferedSession, after: MethodKind): ReadonlySet<Action> {
  const kinds = new Set(methodKinds(session));
  const actions = new Set<Action>();
  const isAfterCard = after === "card" || after === "cards";
  if (kinds.has("card"))
    for (const action of [isAfterCard ? "card" : "byCard", "retry", "parts"] as const) actions.add(action);
  if (kinds.has("cards")) actions.add(after === "cards" ? "amounts" : "split");
  if (after === "cards") actions.add("single");
  if (linkMoments(session, new Date(0)).mostParts === 1) actions.delete("parts");
  if (kinds.has("pix") && after !== "pix") actions.add(session.subscription ? "pixAutomatic" : "pix");
  if (kinds.has("boleto") && after !== "boleto") actions.add("boleto");
  for (const kind of ["nupay", "drip"] as const) if (kinds.has(kind)) actions.add(kind);
  return actions;
}
