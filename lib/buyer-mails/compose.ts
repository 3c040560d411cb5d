import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { maskBoletoLine } from "@/lib/brazil/boleto";
import type { CardLine } from "@/lib/checkout/card-lines";
import { mailTitle, receiptTitle } from "@/lib/checkout/order-title";
import { linkUrlOf, paymentUrlOf } from "@/lib/checkout/payment-token";
import { heldNoMore } from "@/lib/checkout/released-hold";
import type { BuyerRow } from "@/lib/checkout/remember-buyer";
import type { PaymentState, PaymentView } from "@/lib/checkout/view";
import type { NewMail } from "@/lib/mail/queue";
import type { MailData } from "@/lib/mail/templates";
import type { SessionRow } from "@/lib/sessions/state";

/** A bank may show a released hold as long as this. */
const HOLD_SHOWN_DAYS = 7;
const MOST_ITEMS = 100;

/** What happened to a payment, in the order it was announced. */
export type BuyerNews = EventNews | RefundNews | SurplusNews;

export interface EventNews {
  kind: "event";
  /** `transaction.authorized` … */
  name: string;
  id: string;
  /** The charge or purchase it happened to. */
  entityId: string;
  at: Date;
  capture: boolean;
  /** Of the charge: cents refunded by this event, by all so far, and what was paid. */
  refunded: { now: number; soFar: number; paid: number };
}

/** Refunds of the cards of one purchase, told together. */
export interface RefundNews {
  kind: "refunds";
  id: string;
  at: Date;
  cards: readonly { brand: string | null; last4: string | null; amount: number }[];
  /** Of the whole purchase. */
  soFar: number;
  paid: number;
}

interface SurplusNews {
  kind: "surplus";
  id: string;
  at: Date;
  amount: number;
  endToEndId: string;
}

/** Everything of a letter but to whom; `needsSlip` asks for the PDF, and `after` names one that must have been written. */
export type Letter = Pick<NewMail, "dedupe"> & { needsSlip?: boolean; after?: string } & (
    | { template: "pix-code"; data: MailData<"pix-code"> }
    | { template: "boleto"; data: MailData<"boleto"> }
    | { template: "receipt"; data: MailData<"receipt"> }
    | { template: "confirming"; data: MailData<"confirming"> }
    | { template: "confirmation"; data: MailData<"confirmation"> }
    | { template: "holds-released"; data: MailData<"holds-released"> }
    | { template: "refund"; data: MailData<"refund"> }
    | { template: "late-pix-returned"; data: MailData<"late-pix-returned"> }
  );

const RECEIVED = new Set(["transaction.authorized", "purchase.paid"]);
const LOST = new Set(["transaction.failed", "transaction.canceled", "purchase.cancelled"]);
const GIVEN_BACK = new Set(["transaction.voided", "transaction.partially_voided"]);

/** The e-mails that one piece of news calls for, seen from how the payment stands now: what is over is not asked for. */
export function lettersFor(
  news: BuyerNews,
  view: PaymentView,
  buyer: BuyerRow,
  link: Pick<SessionRow, "status">,
): Letter[] {
  if (news.kind === "surplus") return [pixReturned(news, view, buyer, link)];
  if (news.kind === "refunds") return [cardRefunds(news, view, buyer)];
  const isOwn = buyer.kind === "charge" ? news.name.startsWith("transaction.") : news.name.startsWith("purchase.");
  if (GIVEN_BACK.has(news.name))
    return givesBack(news)
      ? [refund(news, view, buyer)]
      : [...holdEnded(news.at, view, buyer), ...released(view, buyer)];
  if (news.name === "transaction.pre_authorized" && !news.capture && view.state === "authorised")
    return [receipt(view, buyer, "authorized")];
  if (!isOwn) return [];
  if (news.name === "transaction.pending") return offered(view, buyer);
  if (RECEIVED.has(news.name)) return [receipt(view, buyer, "paid"), ...resolved(view, buyer, "paid")];
  if (news.name === "purchase.failed") {
    const held = view.cards.filter(({ word }) => word === "released");
    return held.length > 0 ? [holdsReleased(news.at, held, view, buyer)] : ended(view, buyer);
  }
  return LOST.has(news.name) ? [...holdEnded(news.at, view, buyer), ...ended(view, buyer)] : [];
}

export const givesBack = ({ name, refunded }: EventNews): boolean => GIVEN_BACK.has(name) && refunded.now > 0;

const isEnded = ({ state }: PaymentView): boolean =>
  state === "declined" ||
  state === "canceled" ||
  state === "released" ||
  state === "pixExpired" ||
  state === "walletExpired" ||
  state === "boletoClosed";

/** Captured later, and now never: whoever was told of the hold is told of its end. */
function holdEnded(at: Date, view: PaymentView, buyer: BuyerRow): Letter[] {
  const held = heldNoMore(view);
  if (held.length === 0) return [];
  const letter = holdsReleased(at, held, view, buyer);
  const { url } = about(view, buyer);
  return [{ ...letter, data: { ...letter.data, isByShop: true, url }, after: receiptName("authorized", view) }];
}

const ended = (view: PaymentView, buyer: BuyerRow): Letter[] =>
  isEnded(view) ? resolved(view, buyer, "not_charged") : [];

/** What was held and then refused by the fraud analysis: its buyer had been told of the hold. */
const released = (view: PaymentView, buyer: BuyerRow): Letter[] =>
  buyer.kind === "charge" && view.state === "declined"
    ? [confirmation(view, buyer, "not_charged")]
    : ended(view, buyer);

/** How the unknown ended, for whoever was told of it. */
const resolved = (view: PaymentView, buyer: BuyerRow, outcome: "paid" | "not_charged"): Letter[] =>
  buyer.confirmingAt ? [confirmation(view, buyer, outcome)] : [];

const confirmation = (view: PaymentView, buyer: BuyerRow, outcome: "paid" | "not_charged"): Letter => ({
  template: "confirmation",
  data: { outcome, ...about(view, buyer) },
  dedupe: `confirmation:${view.id}`,
});

const about = (view: PaymentView, { sessionId }: BuyerRow) => ({
  amount: view.amount,
  orderId: view.order.orderId,
  title: mailTitle(view.order),
  url: paymentUrlOf(sessionId, view.id),
});

export const confirming = (view: PaymentView, buyer: BuyerRow): Letter => ({
  template: "confirming",
  data: about(view, buyer),
  dedupe: `confirming:${view.id}`,
});

function offered(view: PaymentView, buyer: BuyerRow): Letter[] {
  if (view.state === "pix" && view.pix) {
    const { code, expiresAt } = view.pix;
    const data = { ...about(view, buyer), code, expiresAt: expiresAt.toISOString() };
    return [{ template: "pix-code", data, dedupe: `pix-code:${view.id}` }];
  }
  return view.state === "boleto" ? slip(view, buyer, false) : [];
}

export function slip(view: PaymentView, buyer: BuyerRow, isReminder: boolean): Letter[] {
  if (!view.boleto) return [];
  const { line, dueOn, pix, late, payableUntil } = view.boleto;
  const data = {
    ...about(view, buyer),
    digitableLine: maskBoletoLine(line),
    pixCode: pix?.code ?? null,
    dueOn,
    late: late.fine || late.interest ? { ...late, until: saoPauloDay(payableUntil) } : null,
    isReminder,
    hasFile: false,
  };
  return [
    { template: "boleto", data, dedupe: `${isReminder ? "boleto-reminder" : "boleto"}:${view.id}`, needsSlip: true },
  ];
}

const METHODS = {
  pix: "pix",
  boleto: "boleto",
  credit: "card",
  cards: "cards",
  nupay: "nupay",
  drip: "drip",
  other: "wallet",
} as const;

const receiptName = (status: "paid" | "authorized", { id }: Pick<PaymentView, "id">): string =>
  `receipt:${status}:${id}`;

function receipt(view: PaymentView, buyer: BuyerRow, status: "paid" | "authorized"): Letter {
  return {
    template: "receipt",
    dedupe: receiptName(status, view),
    data: {
      ...about(view, buyer),
      paymentId: view.id,
      title: receiptTitle(view.order),
      about: view.order.description,
      statement: view.cards.length > 0 ? view.order.statement : null,
      status,
      at: view.endedAt.toISOString(),
      method: METHODS[view.method],
      items: view.order.items
        .slice(0, MOST_ITEMS)
        .map(({ name, quantity, unitPrice }) => ({ title: name, quantity, amount: quantity * unitPrice })),
      adjustment: view.order.adjustment,
      cards: view.cards.flatMap((card) => {
        const named = heldCard(card);
        const { installments, authorizationCode, nsu } = card;
        return named ? [{ ...named, installments, authorizationCode, nsu }] : [];
      }),
      endToEndId: view.endToEndId,
      digitableLine: view.boleto ? maskBoletoLine(view.boleto.line) : null,
      holdUntil: view.holdUntil?.toISOString() ?? null,
      difference: view.difference,
      lateFees: view.lateFees,
      notCharged: view.notCharged,
    },
  };
}

const heldCard = ({ brand, last4, amount }: Pick<CardLine, "brand" | "last4" | "amount">) =>
  brand && last4 ? { brand, last4, amount } : undefined;

const holdsReleased = (at: Date, held: readonly CardLine[], view: PaymentView, buyer: BuyerRow) => ({
  template: "holds-released" as const,
  dedupe: `holds-released:${view.id}`,
  data: {
    ...about(view, buyer),
    cards: held.flatMap((card) => heldCard(card) ?? []),
    bankShowsUntil: addDays(saoPauloDay(at), HOLD_SHOWN_DAYS),
    url: linkUrlOf(buyer.sessionId),
  },
});

function refund(news: EventNews, view: PaymentView, buyer: BuyerRow): Letter {
  const [card] = view.cards;
  return {
    template: "refund",
    dedupe: `refund:${news.id}`,
    data: {
      ...about(view, buyer),
      paymentId: view.id,
      amount: news.refunded.now,
      paidAmount: news.refunded.paid,
      refundedAmount: news.refunded.soFar,
      at: news.at.toISOString(),
      method: METHODS[view.method],
      brand: view.method === "credit" ? (card?.brand ?? null) : null,
      last4: view.method === "credit" ? (card?.last4 ?? null) : null,
      cards: [],
      documents: [],
    },
  };
}

const cardRefunds = (news: RefundNews, view: PaymentView, buyer: BuyerRow): Letter => ({
  template: "refund",
  dedupe: `refund:${news.id}`,
  data: {
    ...about(view, buyer),
    paymentId: view.id,
    amount: news.cards.reduce((sum, { amount }) => sum + amount, 0),
    paidAmount: news.paid,
    refundedAmount: news.soFar,
    at: news.at.toISOString(),
    method: METHODS[view.method],
    cards: news.cards.flatMap((card) => heldCard(card) ?? []),
    documents: [],
  },
});

/** Of these alone the money of a Pix never came, or came after its end. */
const NOT_RECEIVED: ReadonlySet<PaymentState> = new Set<PaymentState>(["pix", "pixExpired", "pixLate", "canceled"]);

function pixReturned(news: SurplusNews, view: PaymentView, buyer: BuyerRow, link: Pick<SessionRow, "status">): Letter {
  const isTwice = !NOT_RECEIVED.has(view.state);
  const late = view.canPayAgain ? "late" : link.status === "paid" ? "late_paid" : "late_closed";
  const standing = about(view, buyer);
  return {
    template: "late-pix-returned",
    dedupe: `late-pix:${news.id}`,
    data: {
      ...standing,
      amount: news.amount,
      endToEndId: news.endToEndId,
      at: news.at.toISOString(),
      because: isTwice ? "twice" : late,
      url: isTwice ? standing.url : linkUrlOf(buyer.sessionId),
    },
  };
}
