import { z } from "zod";
import { findCardOrGone } from "@/lib/cards/queries";
import { endToEndOf } from "@/lib/charges/end-to-end";
import type { Charge } from "@/lib/charges/queries";
import type { Context } from "@/lib/context";
import { findCustomer } from "@/lib/customers/queries";
import { isQueued, queueMail } from "@/lib/mail/queue";
import type { MailData } from "@/lib/mail/templates";
import { maskedEmail } from "@/lib/masked-email";
import { findMerchant } from "@/lib/merchants/queries";
import { pipelined } from "@/lib/pipeline";
import { lastRetryDay } from "@/lib/subscriptions/calendar";
import { cardLinkOf } from "@/lib/subscriptions/card-link";
import { isOver } from "@/lib/subscriptions/machine";
import { mandateOf } from "@/lib/subscriptions/mandate-queries";
import { type CycleRow, reasonOf, type SubscriptionRow } from "@/lib/subscriptions/queries";

type Data = MailData<"subscription">;
type Told = Pick<Data, "on" | "nextOn" | "cardUntil" | "outlook" | "reason" | "payment"> & { amount?: number };

/** Of what is still to come: who reads them may not want it. */
const FORETELLING: ReadonlySet<Data["kind"]> = new Set<Data["kind"]>(["started", "trialEnds"]);

const address = z.email().max(254);

interface Letter {
  kind: Data["kind"];
  /** What is written under one name is written once. */
  once: string;
  told?: Told;
}

const dedupeOf = ({ kind, once }: Letter): string => `subscription:${kind}:${once}`;

/** Asked for, by the shop or by the buyer: no setting switches these off. */
const isAskedFor = (kind: Data["kind"]): kind is "cardLink" | "freshLink" =>
  kind === "cardLink" || kind === "freshLink";

/**
 * Writes to the buyer, in the transaction of what happened; unless the merchant has switched this kind off, or nobody
 * can be reached: answers whether it did. A link that lets somebody in is never written of what has ended.
 */
async function write(ctx: Context, row: SubscriptionRow, letter: Letter): Promise<boolean> {
  const { kind, told = {} } = letter;
  const [merchant, customer, card] = await pipelined([
    findMerchant(ctx, row.merchantId),
    findCustomer(ctx, row.customerId),
    row.cardId === null ? undefined : findCardOrGone(ctx, row.cardId),
  ]);
  if (!isAskedFor(kind) && merchant?.subscriptionMailsOff.includes(kind)) return false;
  const to = address.safeParse(customer?.email);
  if (!to.success) return false;
  const receipts = kind === "canceled" ? null : maskedFor(merchant, customer);
  await queueMail(ctx, {
    template: "subscription",
    to: to.data,
    locale: row.locale,
    merchantId: row.merchantId,
    dedupe: dedupeOf(letter),
    data: {
      kind,
      name: row.name,
      amount: row.amount,
      interval: row.interval,
      cycles: row.cycles,
      ...(FORETELLING.has(kind) && row.cardId !== null ? { cancel: merchant?.buyerMayCancel ? "page" : "shop" } : {}),
      card: card ? { brand: card.brand, last4: card.last4digits } : null,
      ...(row.cardId === null ? { isByBank: true } : {}),
      // The page is for cards: what a bank pays the buyer changes there.
      ...(receipts === null ? {} : { receiptsTo: receipts }),
      url: isOver(row.status) || row.cardId === null ? null : cardLinkOf(ctx, row.id),
      ...told,
    },
  });
  return true;
}

type Merchant = Awaited<ReturnType<typeof findMerchant>>;
type Customer = Awaited<ReturnType<typeof findCustomer>>;

const addressFor = (merchant: Merchant, customer: Customer): string | undefined =>
  merchant?.subscriptionMailsOff.includes("receipt") ? undefined : address.safeParse(customer?.email).data;

function maskedFor(merchant: Merchant, customer: Customer): string | null {
  const to = addressFor(merchant, customer);
  return to === undefined ? null : maskedEmail(to);
}

type Payer = Pick<SubscriptionRow, "merchantId" | "customerId">;

const payerOf = (ctx: Context, { merchantId, customerId }: Payer): Promise<[Merchant, Customer]> =>
  pipelined([findMerchant(ctx, merchantId), findCustomer(ctx, customerId)]);

/** Who is told of what was paid, and of what goes back of it; undefined where the shop sends no receipts. */
export const receiptAddress = async (ctx: Context, row: Payer): Promise<string | undefined> =>
  addressFor(...(await payerOf(ctx, row)));

/** Where the receipts of a subscription go, masked: whoever reads it has its link, and need not be its buyer. */
export const receiptsTo = async (ctx: Context, row: Payer): Promise<string | null> =>
  maskedFor(...(await payerOf(ctx, row)));

/** Whether the buyer has let their bank pay: until then there is nothing to be told of. */
export const isAuthorized = async (ctx: Context, { id, trialEndAt }: SubscriptionRow): Promise<boolean> =>
  trialEndAt !== null && ((await mandateOf(ctx, id))?.approvedAt ?? null) !== null;

/** Once: when it begins with a trial or on a later day, else with its first payment. */
export const writeStarted = (ctx: Context, row: SubscriptionRow): Promise<boolean> =>
  write(ctx, row, { kind: "started", once: row.id, told: { on: row.trialEndAt, nextOn: nextOf(row) } });

export const writeTrialEnds = (ctx: Context, row: SubscriptionRow): Promise<boolean> =>
  write(ctx, row, { kind: "trialEnds", once: row.id, told: { on: row.trialEndAt, nextOn: nextOf(row) } });

export function writeReceipt(ctx: Context, row: SubscriptionRow, { row: charge, attempts }: Charge): Promise<boolean> {
  const approved = attempts.find(({ authorizationCode }) => authorizationCode);
  const payment = {
    id: charge.id,
    at: charge.updatedAt.toISOString(),
    authorizationCode: approved?.authorizationCode ?? null,
    nsu: approved?.authorizationNsu ?? null,
    endToEndId: endToEndOf({ attempts }),
  };
  const told = { amount: charge.originalAmount, payment, nextOn: nextOf(row) };
  return write(ctx, row, { kind: "receipt", once: charge.id, told });
}

/**
 * Once when a cycle is first declined, and once when nothing more is tried; what is tried again at once is not told.
 * `manual` numbers a try of a person whose answer came late: told by itself.
 */
export async function writeFailed(
  ctx: Context,
  row: SubscriptionRow,
  cycle: CycleRow,
  manual?: number,
): Promise<boolean> {
  const amount = cycle.amount ?? row.amount;
  const reason = (await reasonOf(ctx, row, cycle)) ?? null;
  const once = manual === undefined ? cycle.id : `${cycle.id}:${manual}`;
  if (cycle.status === "failed") {
    return write(ctx, row, { kind: "failed", once: `${once}:ended`, told: { amount, reason, outlook: "ended" } });
  }
  const told = cycle.waitsForCard
    ? { amount, reason, outlook: "card" as const, on: lastRetryDay(cycle) ?? null }
    : { amount, reason, outlook: "retry" as const, on: cycle.nextRetryOn };
  return write(ctx, row, { kind: "failed", once, told });
}

export const writeLastTry = (ctx: Context, row: SubscriptionRow, cycle: CycleRow): Promise<boolean> =>
  write(ctx, row, {
    kind: "lastTry",
    once: `${cycle.id}:${cycle.nextRetryOn}`,
    told: { amount: cycle.amount ?? row.amount, on: cycle.nextRetryOn },
  });

export const writeCardExpires = (
  ctx: Context,
  row: SubscriptionRow,
  cardUntil: string,
  days: number,
): Promise<boolean> =>
  write(ctx, row, {
    kind: "cardExpires",
    once: `${row.id}:${row.cardId}:${days}`,
    told: { cardUntil, nextOn: nextOf(row) },
  });

/** Of a code that was left on a link unused nobody was told that anything had begun. */
export async function writeCanceled(ctx: Context, row: SubscriptionRow): Promise<boolean> {
  const isOfCode = row.method === "pix_automatic" && row.sessionId !== null && !row.isAgreed;
  if (isOfCode && !(await isAuthorized(ctx, row))) return false;
  return write(ctx, row, { kind: "canceled", once: row.id });
}

/** Asked for by the merchant; as often as it is asked, each with seven days of its own. */
export const writeCardLink = (ctx: Context, row: SubscriptionRow, askedAs: string): Promise<boolean> =>
  write(ctx, row, { kind: "cardLink", once: askedAs });

/** Asked for by whoever has an old link: once a day. False where it was written that day already. */
export async function writeFreshLink(ctx: Context, row: SubscriptionRow, day: string): Promise<boolean> {
  const letter: Letter = { kind: "freshLink", once: `${row.id}:${day}` };
  if (await isQueued(ctx, dedupeOf(letter))) return false;
  await write(ctx, row, letter);
  return true;
}

/** The day of the next charge, unless it ends before. */
const nextOf = ({ nextDueOn, cancelOn, status }: SubscriptionRow): string | null =>
  nextDueOn === null || isOver(status) || (cancelOn !== null && cancelOn <= nextDueOn) ? null : nextDueOn;
