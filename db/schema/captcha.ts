import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { clients } from "@/db/schema/accounts";
import { cents, clientId, createdAt, id, instant } from "@/db/schema/columns";

/** Solutions already used: a challenge is solved once. Moments are real time, as the buyer's browser keeps it. */
export const captchaSpent = pgTable(
  "captcha_spent",
  {
    /** Digest of the challenge. */
    key: text().primaryKey(),
    clientId: clientId(),
    spentAt: instant().notNull(),
  },
  (t) => [index("captcha_spent_age").on(t.spentAt)],
);

/** Answers to questions in words, right or wrong: an address may give a few in an hour, whatever the account. */
export const captchaAnswers = pgTable(
  "captcha_answers",
  { id: id(), ip: text().notNull(), at: instant().notNull() },
  (t) => [index().on(t.ip, t.at), index("captcha_answers_age").on(t.at)],
);

export const TRY_OUTCOMES = ["approved", "declined", "other"] as const;

/** Every card tried on a link, for the limits against card testing (spec/reliability.md 2.10); account clock. */
export const cardTries = pgTable(
  "card_tries",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    merchantId: uuid().notNull(),
    /** The public key where a key pays without a session. */
    sessionId: uuid().notNull(),
    /** Digest of the visit, and the network of the address. */
    visit: text().notNull(),
    ip: text().notNull(),
    fingerprint: text().notNull(),
    bin: text().notNull(),
    amount: cents().notNull(),
    chargeId: uuid(),
    purchaseId: uuid(),
    slotIndex: integer(),
    /** Written by a trigger when the payment is decided; null while it is not known. */
    outcome: text({ enum: TRY_OUTCOMES }),
    at: instant().notNull(),
  },
  (t) => [
    unique("card_tries_charge").on(t.chargeId),
    unique("card_tries_slot").on(t.purchaseId, t.slotIndex),
    index("card_tries_visit").on(t.clientId, t.visit, t.at),
    index("card_tries_ip").on(t.clientId, t.ip, t.at),
    index("card_tries_link").on(t.sessionId, t.at),
    index("card_tries_card").on(t.clientId, t.fingerprint, t.at),
    index("card_tries_merchant").on(t.merchantId, t.at),
    check("card_tries_payment", sql`num_nonnulls(${t.chargeId}, ${t.purchaseId}) = 1`),
  ],
);

export const ALARM_SCOPES = ["link", "key", "merchant"] as const;
export const ALARM_KINDS = ["step_up", "cards_paused"] as const;

/** What card testing has set off, until when it acts, and what was counted then. */
export const cardAlarms = pgTable(
  "card_alarms",
  {
    id: id(),
    clientId: clientId().references(() => clients.id),
    scope: text({ enum: ALARM_SCOPES }).notNull(),
    /** The session, the public key or the merchant. */
    refId: uuid().notNull(),
    kind: text({ enum: ALARM_KINDS }).notNull(),
    /** `person`: cards of a link closed by hand, which holds whether or not the limits act. */
    cause: text({ enum: ["link_declines", "merchant_declines", "same_bin_and_amount", "person"] }).notNull(),
    tried: integer().notNull(),
    declined: integer().notNull(),
    raisedAt: instant().notNull(),
    until: instant().notNull(),
    liftedAt: instant(),
    /** Why a person lifted or extended it. */
    note: text(),
  },
  (t) => [index("card_alarms_now").on(t.clientId, t.refId, t.until), index().on(t.clientId, t.raisedAt)],
);

/** Absent: on for live accounts, off for sandbox ones. */
export const cardProtection = pgTable("card_protection", {
  clientId: clientId()
    .primaryKey()
    .references(() => clients.id),
  isOn: boolean().notNull(),
  /** Numbers stricter than the product's own, by the name of the limit. */
  limits: jsonb().$type<Record<string, number>>(),
  updatedAt: instant().notNull(),
});

/** Who is told by e-mail about a payment made on the hosted page. */
export const paymentBuyers = pgTable(
  "payment_buyers",
  {
    /** Of a charge or a purchase. */
    paymentId: uuid().primaryKey(),
    clientId: clientId().references(() => clients.id),
    kind: text({ enum: ["charge", "purchase"] }).notNull(),
    merchantId: uuid().notNull(),
    sessionId: uuid().notNull(),
    email: text().notNull(),
    locale: text({ enum: ["pt-BR", "en"] }).notNull(),
    /** When the buyer was told that the bank's answer is not known. */
    confirmingAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [index("payment_buyers_email").on(t.clientId, t.email)],
);

/** Events of such payments, and refunds of subscriptions, that may call for an e-mail; a trigger writes them with their event. */
export const buyerMoments = pgTable(
  "buyer_moments",
  {
    paymentId: uuid().notNull(),
    eventId: uuid().notNull(),
    clientId: clientId(),
    doneAt: instant(),
  },
  (t) => [
    primaryKey({ columns: [t.eventId] }),
    index("buyer_moments_waiting").on(t.eventId).where(sql`${t.doneAt} is null`),
  ],
);
