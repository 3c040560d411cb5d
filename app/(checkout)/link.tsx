import { page, seeOther } from "@/app/(checkout)/answer";
import { type Stage, stageOf } from "@/app/(checkout)/frame";
import { velocityOf } from "@/app/(checkout)/velocity";
import type { Visitor } from "@/app/(checkout)/visitor";
import { ClosedPage } from "@/components/checkout/closed-page";
import { OpenPage } from "@/components/checkout/open-page";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { newQuestion } from "@/lib/captcha/question";
import { type About, aboutOf } from "@/lib/checkout/about";
import { openAskedCode } from "@/lib/checkout/asked-code";
import {
  attemptKeyFor,
  type CheckoutAttemptRow,
  paymentOf,
  type VisitHistory,
  visitHistory,
} from "@/lib/checkout/checkout-attempts";
import { withDealtAmounts } from "@/lib/checkout/dealt-amounts";
import { adviceOf, isByCard } from "@/lib/checkout/declines";
import { isCardTyped, keptValues, type TypedForm } from "@/lib/checkout/form";
import { canUseThree } from "@/lib/checkout/instalments";
import { knownBuyerOf, knownView } from "@/lib/checkout/known-buyer";
import { loadPayment } from "@/lib/checkout/load";
import { methodKinds, methodView } from "@/lib/checkout/methods";
import { askedLately } from "@/lib/checkout/new-link";
import { paymentTokenOf } from "@/lib/checkout/payment-token";
import { orderView } from "@/lib/checkout/payment-view";
import { planView } from "@/lib/checkout/plan";
import type { Recall } from "@/lib/checkout/recall";
import { savedCardsOf } from "@/lib/checkout/saved-cards";
import { servedKinds } from "@/lib/checkout/served";
import { openTyped } from "@/lib/checkout/typed-before";
import {
  type ClosedState,
  type ClosedView,
  type LeftBank,
  type MethodKind,
  type OpenView,
  type PageNotice,
  type PaidHere,
  type PaymentState,
  shownAs,
  type TypedValues,
} from "@/lib/checkout/view";
import { signAttempt } from "@/lib/checkout/visit";
import { type Context, inTransaction, now } from "@/lib/context";
import type { Locale } from "@/lib/i18n/locales";
import { tellFailure } from "@/lib/insights/failing-links";
import { log } from "@/lib/log";
import { openOffersOf } from "@/lib/session-payments/queries";
import { type OpenedSession, openSession } from "@/lib/sessions/open";
import { type LinkState, linkStateOf, paymentsStatusOf, type SessionRow } from "@/lib/sessions/state";
import { waitingStartsOf } from "@/lib/subscriptions/link-close";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

const CLOSED: Readonly<Record<LinkState, ClosedState>> = {
  open: "off",
  in_use: "in_use",
  paid: "paid",
  limit_reached: "limit",
  expired: "expired",
  off: "off",
  canceled: "canceled",
  voided: "voided",
};
const STATUS: Readonly<Partial<Record<ClosedState, number>>> = { no_method: 503, unknown: 404, error: 500 };
/** States in which a shop can help with another link. */
const ASKABLE: ReadonlySet<ClosedState> = new Set<ClosedState>(["limit", "expired", "canceled", "no_boleto"]);

export const isMethod = (text: string | null): text is MethodKind =>
  text !== null && ["pix", "card", "cards", "boleto", "nupay", "drip"].includes(text);

/** A link that somebody else paid while this buyer was filling it in: nobody is told to look for a receipt then. */
const TAKEN: ReadonlySet<ClosedState> = new Set<ClosedState>(["paid", "limit"]);
const isToldTaken = ({ notice }: Shown): boolean => notice?.kind === "declined" && notice.refusal === "link_taken";

const NOTHING: Omit<ClosedView, "state"> = {
  date: null,
  payment: null,
  isRunning: false,
  isSubscription: false,
  canChooseOther: false,
  newLink: null,
  isRefused: false,
  isTaken: false,
  paidHere: null,
  reference: null,
  isForgotten: false,
};

/** So long after it a refusal is still what a buyer comes back to; a payment for the rest of the day. */
const REFUSED_SECONDS = 1_800;
const isWithin = (seconds: number, row: CheckoutAttemptRow | undefined, at: Date): row is CheckoutAttemptRow =>
  row !== undefined && row.createdAt > addSeconds(at, -seconds);

export async function closed(
  visitor: Visitor,
  stage: Stage,
  state: ClosedState,
  { about = null, ...more }: Partial<ClosedView> & { about?: About | null } = {},
): Promise<Response> {
  const view = { ...NOTHING, ...more, state };
  return page(
    visitor,
    STATUS[state] ?? 200,
    stage.policy,
    <ClosedPage frame={stage.frame} view={view} about={about} />,
  );
}

/** The same bytes for any address that is no link: neither cookie nor language choice tells one from another. */
export async function unknownLink(visitor: Visitor): Promise<Response> {
  return closed(
    { ...visitor, cookies: [] },
    await stageOf({ ...visitor, isEmbedded: false }, undefined, "0"),
    "unknown",
  );
}

/**
 * Runs a page's work; our own failures have a screen too, with a reference for the shop's support. Of an account that
 * was closed only what looks back is shown.
 */
export async function guarded(
  visitor: Visitor,
  sessionId: string,
  run: (opened: OpenedSession) => Promise<Response>,
  { alsoClosed = false }: { alsoClosed?: boolean } = {},
): Promise<Response> {
  try {
    const opened = await openSession(sessionId, { requestId: visitor.requestId, ip: visitor.ip });
    if (!opened) return await unknownLink(visitor);
    if (opened.isAccountClosed && !alsoClosed)
      return await closed(visitor, await stageOf(visitor, opened, sessionId), "off");
    return await run(opened);
  } catch (error) {
    log.error({ error, requestId: visitor.requestId }, "a page of the checkout failed");
    return closed(visitor, await stageOf({ ...visitor, isEmbedded: false }, undefined, sessionId), "error", {
      reference: visitor.requestId,
    });
  }
}

export interface Shown {
  readonly notice?: PageNotice | null;
  readonly method?: MethodKind;
  readonly form?: TypedForm;
  readonly recall?: Recall;
}

/** A code of the link that waits for its buyer, whoever was shown it. */
async function waitingOf(ctx: Context, { id, subscription }: SessionRow): Promise<{ id: string } | undefined> {
  const [offer] = await openOffersOf(ctx, id);
  return offer ?? (subscription?.trial ? (await waitingStartsOf(ctx, id))[0] : undefined);
}

/** The link's page in whatever state it is. */
export async function linkPage(visitor: Visitor, opened: OpenedSession, shown: Shown = {}): Promise<Response> {
  const { ctx, session } = opened;
  const stage = await stageOf(visitor, opened, session.id);
  const frame = shown.recall?.step === "code" ? { ...stage.frame, languageForm: { id: "known-form" } } : stage.frame;
  const at = now(ctx);
  const state = linkStateOf(session, at);
  const about = aboutOf(session, at);
  const { history, offer } = await inTransaction(ctx, async (inside) => ({
    history: await visitHistory(inside, session.id, visitor.visit),
    offer: state === "in_use" ? await waitingOf(inside, session) : undefined,
  }));
  const { base } = frame;
  const isForgotten = shown.recall?.step === "forgotten";
  const pathOf = (id: string) => `${base}/p/${paymentTokenOf(id)}?${shownAs(visitor)}`;
  // A payment of this browser that runs is what a reload in its middle shows; nothing else can be paid beside it.
  const runs = history.open !== undefined && !history.open.waits;
  if (history.open && runs && !shown.notice && !isForgotten)
    return seeOther(visitor, `${pathOf(paymentOf(history.open.row))}#heading`);
  const query = visitor.url.searchParams;
  const wantsOther = query.get("other") === "1" || shown.method !== undefined;
  // A link that has run out meanwhile takes its running payment and no other.
  const canChooseOther = offer !== undefined && paymentsStatusOf(session, at) === "active";
  const isFree = state === "open" || (state === "in_use" && canChooseOther && wantsOther);
  // What runs is not told of before the buyer knows that nothing of them is kept.
  const isHeld = runs && isForgotten;
  if (!isFree || isHeld) {
    const closedState = isHeld ? "in_use" : CLOSED[state];
    // A code that can still be paid is found again by who asked for it, also when the link has run out meanwhile.
    const running = offer?.id ?? (history.open ? paymentOf(history.open.row) : undefined);
    // Whoever paid finds the receipt again, whatever became of the link; nobody else does.
    const payment = running ?? (history.approved && paymentOf(history.approved));
    const isRefused = !payment && (isToldTaken(shown) || query.get("taken") === "1");
    const isTaken = isRefused && TAKEN.has(closedState);
    return closed(visitor, stage, closedState, {
      about,
      date: session.dueAt,
      payment: payment ? pathOf(payment) : null,
      isRunning: running !== undefined,
      isSubscription: session.subscription !== null,
      canChooseOther,
      isRefused,
      isTaken,
      isForgotten,
      newLink: isTaken || ASKABLE.has(closedState) ? await newLinkOf(visitor, opened) : null,
    });
  }
  const refused = shown.notice ? undefined : await refusedBefore(visitor, opened, history);
  const { approved } = history;
  const isAgain = query.get("again") === "1";
  const isAsking = shown.notice || shown.recall || shown.form || refused || history.open || isAgain;
  const paidHere =
    isWithin(DAY_SECONDS, approved, at) && !isAsking ? await paidBefore(opened, paymentOf(approved)) : undefined;
  if (approved && paidHere)
    return closed(visitor, stage, "paid_here", {
      about,
      payment: pathOf(paymentOf(approved)),
      canChooseOther: true,
      paidHere,
    });
  const view = await openView(visitor, opened, history, shown, refused);
  if (view.methods.length === 0 && session.pastBoletoDay && methodKinds(session).length === 0)
    return closed(visitor, stage, "no_boleto", { about, isForgotten, newLink: await newLinkOf(visitor, opened) });
  if (view.methods.length === 0) {
    await tellFailure(ctx, session, "no_method");
    return closed(visitor, stage, "no_method", { about, isForgotten });
  }
  const running = offer?.id ?? (history.open ? paymentOf(history.open.row) : undefined);
  return page(
    visitor,
    200,
    stage.policy,
    <OpenPage
      frame={frame}
      view={{
        ...view,
        isAgain,
        running: running && !shown.notice ? pathOf(running) : null,
        notice: pathed(view.notice, pathOf),
      }}
    />,
  );
}

const newLinkOf = async ({ visit }: Visitor, { ctx, session }: OpenedSession): Promise<"form" | "again"> =>
  (await askedLately(ctx, session.id, visit)) ? "again" : "form";

const pathed = (notice: OpenView["notice"], pathOf: (id: string) => string): OpenView["notice"] =>
  notice?.kind === "duplicate" ? { ...notice, receipt: notice.receipt && pathOf(notice.receipt) } : notice;

/** Of a link that is paid more than once: what this browser paid there, as far as it stands. */
async function paidBefore({ ctx, session }: OpenedSession, id: string): Promise<PaidHere | undefined> {
  const { view } = (await loadPayment(ctx, session.id, id)) ?? {};
  if (!view || !STANDS.has(view.state)) return undefined;
  const { amount, endedAt, state } = view;
  const kind = session.subscription ? "started" : state === "authorised" ? "authorised" : "paid";
  return { amount, at: endedAt, isToday: saoPauloDay(endedAt) === saoPauloDay(now(ctx)), kind };
}
const STANDS: ReadonlySet<PaymentState> = new Set<PaymentState>(["paid", "authorised", "started", "partlyRefunded"]);

interface Refused {
  readonly notice: PageNotice;
  readonly method: string;
  /** How many cards were to pay. */
  readonly cards: number;
}

/** A payment of this visit that ended badly while nobody looked: who comes back is told so, once for each. */
async function refusedBefore(
  { url, visit }: Visitor,
  { ctx, session }: OpenedSession,
  { refused }: VisitHistory,
): Promise<Refused | undefined> {
  if (!isWithin(REFUSED_SECONDS, refused, now(ctx))) return undefined;
  const id = paymentOf(refused);
  if (url.searchParams.get("told") === paymentTokenOf(id)) return undefined;
  const { view } = (await loadPayment(ctx, session.id, id, { visit })) ?? {};
  if (!view?.refusal) return undefined;
  const { refusal, declinedCard, cards } = view;
  // Nothing of the card is here any more: to try again and to take another card are the same.
  const actions = view.actions.filter((action, _, all) => action !== "retry" || !all.includes("card"));
  return {
    notice: { kind: "declined", refusal, actions, ...(declinedCard === null ? {} : { card: declinedCard }) },
    method: refused.method,
    cards: cards.length,
  };
}

const LEFT: LeftBank = { kind: "left" };

async function openView(
  visitor: Visitor,
  opened: OpenedSession,
  history: VisitHistory,
  shown: Shown,
  refused: Refused | undefined,
): Promise<Omit<OpenView, "isAgain">> {
  const { ctx, session } = opened;
  const at = now(ctx);
  const standing = await velocityOf(visitor, opened);
  const isCardsPaused = standing.cards !== "open";
  const open = methodKinds(session).filter((kind) => !(isCardsPaused && (kind === "card" || kind === "cards")));
  const served = await servedKinds(ctx, session, open);
  // What a press has just found out stands in its notice.
  const kinds = shown.notice ? open : open.filter((kind) => served.has(kind));
  const query = visitor.url.searchParams;
  // A form that came without a script cannot be followed by one that needs it.
  const needsScript = shown.notice !== undefined && standing.captcha !== "none";
  const told = history.refused && paymentTokenOf(paymentOf(history.refused));
  const left = query.get("left") === "1" && told && query.get("told") === told ? LEFT : undefined;
  const notice = shown.notice && needsScript ? workable(shown.notice) : (shown.notice ?? refused?.notice ?? left);
  const next = needsScript && notice?.kind === "declined" ? notice.actions[0] : undefined;
  const other = next === "pixAutomatic" ? "pix" : next === "pix" || next === "boleto" ? next : undefined;
  const wanted =
    other ?? shown.method ?? [query.get("method"), cardsAsked(query), refused?.method ?? null].find(isMethod);
  const key = (kind: MethodKind) =>
    signAttempt(session.id, attemptKeyFor(session.id, visitor.visit, kind, history.ended));
  const emptied = shown.notice?.kind === "declined" ? adviceOf(shown.notice.refusal).empties : undefined;
  const savedCards = kinds.includes("card") ? await savedCardsOf(ctx, session) : [];
  const known = await knownBuyerOf(ctx, session, visitor.visit);
  const before = typedBefore(visitor, session.id, history, at);
  const count = shown.form?.get("count") ?? query.get("cards") ?? before.values.count ?? String(refused?.cards);
  const cards = count === "3" && canUseThree(session.amount) ? 3 : 2;
  const values = shown.form
    ? keptValues(shown.form, emptied)
    : withDealtAmounts(before.values, session.amount, cards, visitor.locale);
  return {
    order: orderView(session),
    plan: planView(session, at),
    methods: kinds.map((kind) =>
      methodView(session, kind, { attempt: key(kind), at, savedCards, ...served.get(kind) }),
    ),
    chosen: nearest(kinds, wanted),
    sent: shown.method ?? before.method,
    cards,
    notice: notice ?? null,
    values,
    isCardsPaused,
    captcha: captchaView(standing.captcha, session.captchaEnabled, session.id, visitor.locale),
    running: null,
    known: known ? knownView(known) : null,
    recall: shown.recall ?? pendingCode(visitor, session.id),
    told,
    isAnswer: visitor.isForm,
    // After an error the box of the error says it.
    isEmptied: shown.form !== undefined && !shown.notice && isCardTyped(shown.form),
  };
}

/** A code that this browser asked for is typed here, also on the way back from the e-mail. */
function pendingCode({ visit, askedCode }: Visitor, sessionId: string): Recall {
  const email = openAskedCode(sessionId, visit, askedCode);
  return email === undefined ? { step: "offer" } : { step: "code", email, isWrong: false };
}

/** Of a payment with a page of its own that was left, or ended badly, such as a bank's: the form stands as it was. */
function typedBefore(
  { typed }: Visitor,
  sessionId: string,
  { refused, open }: VisitHistory,
  at: Date,
): { method: MethodKind | null; values: TypedValues } {
  const last = open?.row ?? refused;
  if (!isWithin(REFUSED_SECONDS, last, at)) return { method: null, values: {} };
  const { key, method } = last;
  return { method: isMethod(method) ? method : null, values: openTyped(sessionId, key, typed) };
}

/** A link that takes one card alone is the nearest to several. */
function nearest(kinds: readonly MethodKind[], wanted: MethodKind | undefined): MethodKind {
  const has = (kind: MethodKind) => kinds.includes(kind);
  if (wanted && has(wanted)) return wanted;
  return wanted === "cards" && has("card") ? "card" : (kinds[0] ?? "pix");
}

/** An address that says how many cards means their form, also where it names none. */
const cardsAsked = (query: URLSearchParams): MethodKind | null =>
  ["2", "3"].includes(query.get("cards") ?? "") ? "cards" : null;

/** Where cards are all that the link has, the page says what they need. */
function workable(notice: PageNotice): PageNotice {
  if (notice.kind !== "declined") return notice;
  const actions = notice.actions.filter((action) => !isByCard(action));
  return actions.length > 0 ? { ...notice, actions } : notice;
}

function captchaView(
  level: "none" | "normal" | "hard",
  isAlways: boolean,
  sessionId: string,
  locale: Locale,
): OpenView["captcha"] {
  if (level === "none") return null;
  return { level, question: isAlways ? newQuestion({ sessionId, locale }) : null };
}
