import { z } from "zod";
import { SUBSCRIPTION_MAILS } from "@/db/schema/merchants";
import { NOTICE_KINDS } from "@/db/schema/notices";
import { OPERATOR_ROLES } from "@/db/schema/operators";
import { TRANSFER_REASONS } from "@/db/schema/payouts";
import { REPORT_TYPES } from "@/db/schema/reports";
import { INTERVALS } from "@/db/schema/subscriptions";

/** Links of e-mails: of this installation, or of a shop. */
const link = z.url({ protocol: /^https?$/ });
const at = z.iso.datetime({ offset: true });
const day = z.iso.date();
const amount = z.int().min(0);
const words = z.string().max(2_000);
/** What the payment is for: the shop's number of it, and its name. */
const order = { orderId: words.nullish(), title: words.nullish() };

/** Never more of a card than this. */
const lastFour = z.string().regex(/^\d{4}$/);
const heldCard = z.object({ brand: words, last4: lastFour, amount });
const paidCard = heldCard.extend({
  installments: z.int().min(1),
  authorizationCode: words.nullish(),
  nsu: words.nullish(),
});
const lateFee = z.object({ cents: amount.nullable(), percentage: z.number().nullable(), days: z.int().min(0) });
const item = z.object({ title: words, quantity: z.int().min(1), amount });
const method = z.enum(["pix", "boleto", "card", "cards", "nupay", "drip", "wallet"]);

/** Every e-mail of the product and what it says. A template's component is components/emails/<name>.tsx. */
export const MAIL_TEMPLATES = {
  "webhook-failing": z.object({
    accountName: words,
    endpoint: words,
    event: words,
    since: at,
    lastFailure: words.nullish(),
    url: link,
  }),
  "webhook-disabled": z.object({
    accountName: words,
    endpoint: words,
    event: words,
    reason: z.enum(["gone", "delivery_failures"]),
    at,
    url: link,
  }),
  "operator-invitation": z.object({
    accountName: words,
    invitedBy: words,
    /** Of the product, or one of the account's own under its name. */
    role: z.union([z.enum(OPERATOR_ROLES), z.object({ name: words })]).optional(),
    url: link,
    expiresAt: at,
  }),
  "password-reset": z.object({ url: link, expiresAt: at }),
  "new-sign-in": z.object({ at, ip: words, device: words, url: link }),
  "operator-notice": z.object({
    accountName: words,
    kind: z.enum(NOTICE_KINDS),
    count: z.int().min(1),
    notices: z
      .array(
        z.object({
          id: words,
          name: words.nullish(),
          byName: words.nullish(),
          amount: amount.nullish(),
          currency: words.nullish(),
          at,
          url: link,
        }),
      )
      .min(1)
      .max(20),
    url: link,
    /** Absent for the address of the installation, which chooses nothing. */
    choicesUrl: link.optional(),
  }),
  "report-ready": z.object({
    accountName: words,
    type: z.enum(REPORT_TYPES),
    rows: z.int().min(0),
    since: at,
    until: at,
    timezone: words,
    files: z.array(z.object({ name: words, url: link })).max(20),
    allUrl: link.optional(),
    url: link,
    expiresAt: at,
  }),
  "report-address": z.object({ accountName: words, url: link, expiresAt: at }),

  "pix-code": z.object({ amount, ...order, code: words, expiresAt: at, url: link }),
  boleto: z.object({
    amount,
    ...order,
    digitableLine: words,
    pixCode: words.nullish(),
    dueOn: day,
    url: link,
    /** Owed when it is paid late, and the last day on which it can be. */
    late: z.object({ fine: lateFee.nullable(), interest: lateFee.nullable(), until: day }).nullish(),
    isReminder: z.boolean(),
    /** The slip is attached as PDF. */
    hasFile: z.boolean().default(false),
  }),
  receipt: z.object({
    paymentId: words,
    status: z.enum(["paid", "authorized"]),
    amount,
    at,
    method,
    ...order,
    /** Besides the title. */
    about: words.nullish(),
    /** What the statement of a card calls it. */
    statement: words.nullish(),
    items: z.array(item).max(100),
    /** Cents that the amount has above its items, or below them. */
    adjustment: z.int().optional(),
    cards: z.array(paidCard).max(3),
    endToEndId: words.nullish(),
    digitableLine: words.nullish(),
    holdUntil: at.nullish(),
    /** Cents paid above what was asked for, or below it. */
    difference: z.int().default(0),
    /** Cents of a boleto's fine and interest, paid as they were asked. */
    lateFees: amount.default(0),
    /** Cents of a card that were authorized, and not captured. */
    notCharged: amount.default(0),
    url: link,
  }),
  confirming: z.object({ amount, ...order, url: link }),
  confirmation: z.object({ outcome: z.enum(["paid", "not_charged"]), amount, ...order, url: link }),
  "holds-released": z.object({
    amount,
    ...order,
    cards: z.array(heldCard).max(3),
    bankShowsUntil: day,
    /** Authorized, and never captured; else one of several cards was declined. */
    isByShop: z.boolean().optional(),
    url: link,
  }),
  refund: z.object({
    amount,
    paidAmount: amount,
    refundedAmount: amount,
    at,
    method,
    brand: words.nullish(),
    last4: lastFour.nullish(),
    /** Of a payment with several cards: those refunded now, and how much to each. */
    cards: z.array(heldCard).max(3).default([]),
    ...order,
    /** The name of the subscription that it was a charge of. */
    subscription: words.nullish(),
    paymentId: words.nullish(),
    documents: z.array(z.object({ kind: z.enum(["letter", "receipt"]), url: link })).max(6),
    /** Null where neither the payment nor its subscription has a page. */
    url: link.nullable(),
    /** For some days the link lets whoever has it see and change the subscription. */
    isToSubscription: z.boolean().optional(),
  }),
  "late-pix-returned": z.object({
    amount,
    endToEndId: words,
    at,
    ...order,
    /** Its code had ended, and the link takes another payment, is paid or takes none; or it paid the same code again. */
    because: z.enum(["late", "late_paid", "late_closed", "twice"]).default("late"),
    /** To the link that takes another payment, or to the one that stands. */
    url: link,
  }),
  payout: z.object({
    kind: z.enum(["paid", "failed", "returned", "offset"]),
    amount,
    day,
    /** The last digits of the bank account. */
    accountEnd: words,
    reason: z.enum(TRANSFER_REASONS).nullish(),
    url: link,
  }),
  "buyer-code": z.object({ code: z.string().regex(/^\d{6}$/), minutes: z.int().min(1), url: link }),
  subscription: z.object({
    kind: z.enum([...SUBSCRIPTION_MAILS, "cardLink", "freshLink"]),
    name: words,
    amount,
    interval: z.enum(INTERVALS),
    /** How many charges in all; null is endless. */
    cycles: z.int().min(1).nullish(),
    /** Where the buyer cancels what a card pays; absent where that is not told. */
    cancel: z.enum(["page", "shop"]).optional(),
    card: z.object({ brand: words, last4: lastFour }).nullish(),
    /** The buyer's bank pays it (Pix Automático): there is no card. */
    isByBank: z.boolean().optional(),
    /** Of the end of a trial, a try or the last day for another card. */
    on: day.nullish(),
    nextOn: day.nullish(),
    /** The last day of the card. */
    cardUntil: day.nullish(),
    /** Of a decline: tried again, until another card, or no more. */
    outlook: z.enum(["retry", "card", "ended"]).nullish(),
    /** The code of a decline that is explained to its buyer. */
    reason: words.nullish(),
    payment: z
      .object({
        id: words,
        at,
        authorizationCode: words.nullish(),
        nsu: words.nullish(),
        endToEndId: words.nullish(),
      })
      .nullish(),
    /** Masked; absent where the shop sends no receipts. */
    receiptsTo: words.nullish(),
    url: link.nullish(),
  }),
  "new-link": z.object({ amount, ...order, message: words.nullish(), url: link }),

  "seller-invitation": z.object({ sellerName: words, url: link, expiresAt: at }),
  "seller-sign-in": z.object({ sellerName: words, url: link, expiresAt: at }),
  "seller-review-due": z.object({ sellerName: words, url: link, deadline: at, isReminder: z.boolean() }),
  "seller-review-closed": z.object({
    sellerName: words,
    url: link,
    outcome: z.enum(["approved", "rejected", "expired"]),
  }),
} as const;

export type MailTemplate = keyof typeof MAIL_TEMPLATES;
export type MailData<T extends MailTemplate> = z.output<(typeof MAIL_TEMPLATES)[T]>;

/** Written to people of this installation, in Trilho's own name; the others are a shop's to its buyers and sellers. */
export const OPERATOR_TEMPLATES = [
  "webhook-failing",
  "webhook-disabled",
  "operator-invitation",
  "password-reset",
  "new-sign-in",
  "operator-notice",
  "report-ready",
  "report-address",
] as const satisfies readonly MailTemplate[];
export type OperatorTemplate = (typeof OPERATOR_TEMPLATES)[number];
export type BuyerTemplate = Exclude<MailTemplate, OperatorTemplate>;

export const isTemplate = (name: string): name is MailTemplate => Object.hasOwn(MAIL_TEMPLATES, name);

export const isOperatorTemplate = (name: MailTemplate): name is OperatorTemplate =>
  OPERATOR_TEMPLATES.some((own) => own === name);
