import type { StoredMethod } from "@/db/schema/sessions";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { composeBoleto } from "@/lib/brazil/boleto";
import { dynamicPixCode } from "@/lib/brazil/pix-brcode";
import { type About, aboutOf } from "@/lib/checkout/about";
import type { CardLine } from "@/lib/checkout/card-lines";
import { barsPath, qrPath } from "@/lib/checkout/code-paths";
import { waysOut } from "@/lib/checkout/declines";
import { hasOtherMethod, methodKinds, methodView, offeredActions } from "@/lib/checkout/methods";
import { orderView } from "@/lib/checkout/payment-view";
import { planView } from "@/lib/checkout/plan";
import {
  CLOSED_STATES,
  type ClosedState,
  type ClosedView,
  type MethodKind,
  type OpenView,
  PAYMENT_STATES,
  type PageNotice,
  type PaymentState,
  type PaymentView,
} from "@/lib/checkout/view";
import type { OfferedSession } from "@/lib/sessions/offered";
import type { SessionRow } from "@/lib/sessions/state";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** Every screen of the checkout, about a payment that does not exist: what a preview shows before anybody pays. */

export const OPEN_STATES = ["pix", "card", "cards", "boleto", "declined", "fields", "paused"] as const;
export type OpenState = (typeof OPEN_STATES)[number];

export type SampleState = `open.${OpenState}` | `closed.${ClosedState}` | `payment.${PaymentState}`;
export const SAMPLE_STATES: readonly SampleState[] = [
  ...OPEN_STATES.map((state) => `open.${state}` as const),
  ...CLOSED_STATES.map((state) => `closed.${state}` as const),
  ...PAYMENT_STATES.map((state) => `payment.${state}` as const),
];

export interface SampleLink {
  amount: number;
  name: string;
  item: string;
  methods: readonly StoredMethod[];
  orderId: string | null;
  dueAt: Date | null;
  captcha: boolean;
  takesSeveralCards: boolean;
  subscription: SessionRow["subscription"];
}

export type Sample =
  | { kind: "open"; view: OpenView }
  | { kind: "closed"; view: ClosedView; about: About | null }
  | { kind: "payment"; view: PaymentView };

const NOBODY = "00000000-0000-4000-8000-000000000000";
const PAYMENT = "0192f1c0-1111-7aaa-8bbb-000000000001";
const PIX_SECONDS = 1_800;
const HOLD_DAYS = 5;

export function sampleOf(state: SampleState, link: SampleLink, at: Date): Sample {
  // Guarantee: the type of a state is these three words, a dot, and a name of the group.
  const [group, name] = state.split(".") as ["open" | "closed" | "payment", string];
  const session = sessionOf(link, at);
  if (group === "closed") {
    const view = closedView(name as ClosedState, link.amount, at);
    return { kind: "closed", view, about: NO_LINK.has(view.state) ? null : aboutOf(session, at) };
  }
  if (group === "payment") return { kind: "payment", view: paymentView(name as PaymentState, session, at) };
  return { kind: "open", view: openView(name as OpenState, session, at) };
}

const sessionOf = (
  { amount, name, item, methods, orderId, dueAt, captcha, takesSeveralCards, subscription }: SampleLink,
  at: Date,
): OfferedSession => ({
  takesSeveralCards,
  id: NOBODY,
  clientId: NOBODY,
  merchantId: NOBODY,
  customerId: null,
  status: "created",
  isActive: true,
  captchaEnabled: captcha,
  hasLink: true,
  name,
  description: null,
  orderId,
  amount,
  currency: "BRL",
  capture: true,
  statementDescriptor: null,
  providerReferenceKey: null,
  dueAt,
  paymentMethods: [...methods],
  items: [
    { id: NOBODY, name: item, description: null, unitPrice: amount, quantity: 1, tangible: null, categoryId: null },
  ],
  splitRules: [],
  vendor: null,
  publicKey: NOBODY,
  maxPayments: null,
  subscription,
  paymentCount: 0,
  pendingCount: 0,
  eventVersion: 0,
  lastEventAt: null,
  createdByKey: null,
  createdAt: at,
  updatedAt: at,
});

const WANTED: Readonly<Partial<Record<OpenState, MethodKind>>> = {
  pix: "pix",
  card: "card",
  cards: "cards",
  boleto: "boleto",
  declined: "card",
  fields: "card",
};

function openView(state: OpenState, session: OfferedSession, at: Date): OpenView {
  const all = methodKinds(session);
  const isCardsPaused = state === "paused";
  const kinds = isCardsPaused ? all.filter((kind) => kind !== "card" && kind !== "cards") : all;
  const [first = "pix"] = kinds;
  const wanted = WANTED[state];
  return {
    order: orderView(session),
    plan: planView(session, at),
    methods: kinds.map((kind) => methodView(session, kind, { attempt: "", at })),
    chosen: wanted && kinds.includes(wanted) ? wanted : first,
    sent: null,
    cards: 2,
    notice: noticeOf(state, session),
    values: {},
    isCardsPaused,
    captcha: session.captchaEnabled ? { level: "normal", question: null } : null,
    running: null,
    known: null,
    recall: null,
    isAgain: false,
    isAnswer: false,
    isEmptied: false,
  };
}

function noticeOf(state: OpenState, session: OfferedSession): PageNotice | null {
  if (state === "declined") {
    const refusal = "insufficient_funds";
    return { kind: "declined", refusal, actions: waysOut(refusal, offeredActions(session, "card")) };
  }
  if (state === "fields") return { kind: "fields", fields: [{ field: "cardNumber" }, { field: "document" }] };
  return null;
}

/** Of these no link is known. */
const NO_LINK: ReadonlySet<ClosedState> = new Set<ClosedState>(["unknown", "error"]);
const ASKABLE: ReadonlySet<ClosedState> = new Set<ClosedState>(["limit", "expired", "canceled", "no_boleto"]);

const closedView = (state: ClosedState, amount: number, at: Date): ClosedView => ({
  state,
  date: state === "expired" ? at : null,
  payment: null,
  isRunning: state === "in_use",
  isSubscription: false,
  canChooseOther: state === "in_use" || state === "paid_here",
  newLink: ASKABLE.has(state) ? "form" : null,
  isRefused: false,
  isTaken: false,
  paidHere: state === "paid_here" ? { amount, at, isToday: true, kind: "paid" } : null,
  reference: state === "error" ? NOBODY : null,
  isForgotten: false,
});

const CARD: CardLine = {
  index: 0,
  word: "paid",
  brand: "Visa",
  last4: "0002",
  amount: 0,
  installments: 1,
  authorizationCode: "042817",
  nsu: "731904",
  refusal: null,
};
const SEVERAL: ReadonlySet<PaymentState> = new Set<PaymentState>(["running", "released"]);
const PIX: ReadonlySet<PaymentState> = new Set<PaymentState>([
  "pix",
  "pixExpired",
  "pixLate",
  "mandate",
  "mandateEnded",
]);
/** Of a subscription that begins with a trial. */
const TRIALS: ReadonlySet<PaymentState> = new Set<PaymentState>(["started", "mandate"]);
const BOLETO: ReadonlySet<PaymentState> = new Set<PaymentState>(["boleto", "boletoOverdue", "boletoClosed"]);
const REFUNDED: Readonly<Partial<Record<PaymentState, number>>> = { partlyRefunded: 0.4, refunding: 1, refunded: 1 };

function methodOf(state: PaymentState): PaymentView["method"] {
  if (PIX.has(state)) return "pix";
  if (BOLETO.has(state)) return "boleto";
  if (state === "wallet" || state === "walletExpired") return "nupay";
  return SEVERAL.has(state) ? "cards" : "credit";
}

const TYPE_OF: Readonly<Partial<Record<PaymentView["method"], string>>> = {
  pix: "pix",
  boleto: "boleto",
  nupay: "nupay",
};

function cardsOf(state: PaymentState, amount: number): CardLine[] {
  const method = methodOf(state);
  if (method === "credit") return [{ ...CARD, amount }];
  if (method !== "cards") return [];
  const second = Math.floor(amount / 2);
  const first = { ...CARD, amount: amount - second, word: state === "released" ? "released" : "held" } as const;
  const last = { ...CARD, index: 1, amount: second, brand: "Mastercard", last4: "0007" };
  return [
    first,
    state === "released"
      ? { ...last, word: "declined", refusal: "insufficient_funds", authorizationCode: null, nsu: null }
      : { ...last, word: "processing", authorizationCode: null, nsu: null },
  ];
}

function paymentView(state: PaymentState, session: OfferedSession, at: Date): PaymentView {
  const { amount } = session;
  const refunded = Math.round(amount * (REFUNDED[state] ?? 0));
  const isRefused = state === "declined" || state === "released";
  const refusal = isRefused ? "insufficient_funds" : null;
  const after = methodOf(state) === "cards" ? "cards" : "card";
  return {
    id: PAYMENT,
    token: "preview",
    state,
    order: orderView(session),
    amount,
    refunded,
    device: null,
    difference: 0,
    lateFees: 0,
    notCharged: 0,
    createdAt: at,
    endedAt: at,
    method: methodOf(state),
    cards: cardsOf(state, amount),
    sentBack: [],
    disputes: state === "disputed" ? [{ amount, at }] : [],
    refunds: refunded > 0 && state !== "refunding" ? [{ amount: refunded, at }] : [],
    email: SAMPLE_EMAIL,
    pix: state === "pix" || state === "mandate" ? pixOf(amount, at) : null,
    endToEndId: PIX.has(state) ? "E18236120202611201402s0352431234" : null,
    boleto: BOLETO.has(state) ? boletoOf(amount, state, at) : null,
    continueUrl: state === "wallet" ? "https://wallet.example/" : null,
    challenge:
      state === "authenticate"
        ? {
            method: "post",
            action: "https://bank.example/",
            fields: {},
            until: addSeconds(at, PIX_SECONDS),
            isSimulated: false,
          }
        : null,
    confirmingInSeconds: null,
    holdUntil: state === "authorised" ? addSeconds(at, HOLD_DAYS * DAY_SECONDS) : null,
    refusal,
    declinedCard: state === "released" ? 1 : null,
    actions: refusal ? waysOut(refusal, offeredActions(session, after)) : [],
    canPayAgain: true,
    hasOther: hasOtherMethod(session, TYPE_OF[methodOf(state)] ?? "credit"),
    canRenew: true,
    instead: null,
    insteadToken: null,
    canSimulate: false,
    asked: false,
    plan: TRIALS.has(state) ? startedPlan(amount, saoPauloDay(addSeconds(at, PLAN.trialDays * DAY_SECONDS))) : null,
  };
}

const SAMPLE_EMAIL = "an•••@exemplo.com";
const startedPlan = (amount: number, firstOn: string) => ({ ...PLAN, amount, firstOn, nextChargeOn: firstOn });
const PLAN = {
  interval: "monthly",
  cycles: null,
  trialDays: 7,
  nextOn: null,
  page: null,
  receiptsTo: SAMPLE_EMAIL,
} as const;

function pixOf(amount: number, at: Date): NonNullable<PaymentView["pix"]> {
  const code = dynamicPixCode({
    url: "example.com/preview",
    merchantName: "Preview",
    merchantCity: "Sao Paulo",
    amount,
  });
  return {
    code,
    qr: qrPath(code),
    expiresAt: addSeconds(at, PIX_SECONDS),
    secondsLeft: PIX_SECONDS,
    lifeSeconds: PIX_SECONDS,
    isToday: true,
  };
}

function boletoOf(amount: number, state: PaymentState, at: Date): NonNullable<PaymentView["boleto"]> {
  const dueOn = addDays(saoPauloDay(at), state === "boleto" ? 3 : -1);
  const { line, barcode } = composeBoleto({ bank: "000", dueOn, amount, freeField: "0".repeat(25) });
  return {
    line,
    bars: state === "boletoClosed" ? "" : barsPath(barcode),
    dueOn,
    payableUntil: addSeconds(at, 3 * DAY_SECONDS),
    instructions: null,
    late: { fine: null, interest: null },
    owed: null,
    pix: null,
  };
}
