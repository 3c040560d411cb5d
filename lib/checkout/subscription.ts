import { systemSql } from "@/db/client";
import { loadAccount } from "@/lib/accounts/service";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { createCard } from "@/lib/cards/create";
import { linkCard } from "@/lib/cards/links";
import { findCard, findCardOrGone } from "@/lib/cards/queries";
import { brandNames } from "@/lib/checkout/brands";
import { type Action, type DeclineRefusal, declineRefusal, shownRefusal, waysOut } from "@/lib/checkout/declines";
import { keptValues, readerOf, refuseBrands, type TypedForm, typedCard } from "@/lib/checkout/form";
import { brandsKept } from "@/lib/checkout/served";
import type { OverView, PastCharge, SubscriptionNow, SubscriptionPageView } from "@/lib/checkout/subscription-view";
import type { PageNotice } from "@/lib/checkout/view";
import { type Context, inTransaction, now, systemContext } from "@/lib/context";
import { findCustomer } from "@/lib/customers/queries";
import { CardRefused, DomainError, RequestError } from "@/lib/errors";
import type { Locale } from "@/lib/i18n/locales";
import { isUuid } from "@/lib/ids";
import { maskedEmail } from "@/lib/masked-email";
import { findMerchant } from "@/lib/merchants/queries";
import { lastRetryDay, utcDayOf } from "@/lib/subscriptions/calendar";
import { readCardLink } from "@/lib/subscriptions/card-link";
import { receiptsTo, writeFreshLink } from "@/lib/subscriptions/letters";
import { isOver } from "@/lib/subscriptions/machine";
import { changeSubscription } from "@/lib/subscriptions/moves";
import {
  type CycleRow,
  countsOf,
  getSubscription,
  lastFailedOf,
  listCycles,
  lockSubscription,
  openCycleOf,
  reasonOf,
  refundsOf,
  type SubscriptionRow,
} from "@/lib/subscriptions/queries";
import { BY_BUYER } from "@/lib/subscriptions/reasons";
import { subscriptionChanges } from "@/lib/subscriptions/schema";
import { cancelById } from "@/lib/subscriptions/service";
import type { StartOptions } from "@/lib/subscriptions/start";
import { updateSubscription } from "@/lib/subscriptions/update";
import { createToken } from "@/lib/tokens/service";
import { admitCards, endCardCheck } from "@/lib/velocity/admit";
import { checkVelocity, type VelocityStanding } from "@/lib/velocity/check";
import { gateOf } from "@/lib/velocity/gate";

export interface OpenedSubscription {
  /** Of the subscription's account, in the name of the system; outside any transaction. */
  ctx: Context;
  row: SubscriptionRow;
  link: "valid" | "expired";
}

/** For the page that an e-mail links to, of a card's subscription; undefined for whatever was never such a link. */
export async function openSubscription(
  id: string,
  token: string,
  { requestId, ip }: { requestId: string; ip: string },
): Promise<OpenedSubscription | undefined> {
  if (!isUuid(id)) return undefined;
  const [found] = await systemSql()<{ client_id: string }[]>`
    select s.client_id from subscriptions s join clients c on c.id = s.client_id
     where s.id = ${id} and s.method = 'credit' and c.status = 'active'`;
  if (!found) return undefined;
  const ctx = { ...systemContext(await loadAccount(found.client_id), requestId), ip, reason: BY_BUYER };
  const link = readCardLink(ctx, id.toLowerCase(), token);
  return link && { ctx, link, row: await inTransaction(ctx, (inside) => getSubscription(inside, id)) };
}

export interface Visit {
  visit: string;
  ip: string;
}

const subjectOf = (row: SubscriptionRow, visit: Visit) => ({
  ...visit,
  sessionId: row.id,
  merchantId: row.merchantId,
  amount: row.amount,
  captchaEnabled: false,
});

/** The language that the page was read in: what is written of the subscription from then on is in it too. */
interface Read {
  locale: Locale;
}

export const standingOf = ({ ctx, row }: OpenedSubscription, visit: Visit): Promise<VelocityStanding> =>
  checkVelocity(ctx, subjectOf(row, visit));

type Shown = Pick<SubscriptionPageView, "notice" | "done" | "token"> & { form?: TypedForm };

export const viewFor = (
  opened: OpenedSubscription,
  standing: VelocityStanding,
  { form, ...shown }: Shown,
): Promise<SubscriptionPageView> =>
  inTransaction(opened.ctx, async (inside) => {
    const { row } = opened;
    const card = row.cardId === null ? undefined : await findCardOrGone(inside, row.cardId);
    const open = await openCycleOf(inside, row.id);
    const owed = await owedCycleOf(inside, row, open);
    const reason = owed && !standing.isNeutral ? await reasonOf(inside, row, owed) : undefined;
    return {
      name: row.name,
      amount: row.amount,
      interval: row.interval,
      items: itemsOf(row),
      card: card ? { brand: card.brand, last4: card.last4digits } : null,
      receiptsTo: await receiptsTo(inside, row),
      now: nowOf(row, open),
      reason: reason ?? null,
      counted: row.cycles === null ? null : { count: row.cycles, left: await leftOf(inside, row.id, row.cycles) },
      past: await pastOf(inside, row),
      owed: owed ? (owed.amount ?? row.amount) : null,
      mayCancel: (await findMerchant(inside, row.merchantId))?.buyerMayCancel ?? false,
      brands: brandNames(await brandsKept(inside, row.merchantId)),
      captcha: standing.captcha === "none" ? null : { level: standing.captcha, question: null },
      values: form ? keptValues(form) : {},
      ...shown,
    };
  });

async function leftOf(ctx: Context, id: string, cycles: number): Promise<number> {
  const { ended, canceled } = await countsOf(ctx, id);
  return Math.max(0, cycles - ended - canceled);
}

const MOST_PAST = 12;
async function pastOf(ctx: Context, { id, amount }: SubscriptionRow): Promise<PastCharge[]> {
  const { items } = await listCycles(ctx, id, { page: 1, limit: MOST_PAST, order: "desc" });
  const refunds = await refundsOf(ctx, id);
  return items
    .filter(({ status }) => status === "authorized" || status === "failed")
    .map((cycle) => ({
      on: cycle.dueOn,
      amount: cycle.amount ?? amount,
      isPaid: cycle.status === "authorized",
      refunded: refunds.get(cycle.id) ?? null,
    }));
}

/** What is told of it once it is over. */
export const overView = ({ ctx, row, link }: OpenedSubscription): Promise<OverView> =>
  inTransaction(ctx, async (inside) => {
    const isTold = !(await findMerchant(inside, row.merchantId))?.subscriptionMailsOff.includes("canceled");
    const { email } = (await findCustomer(inside, row.customerId)) ?? {};
    return {
      name: row.name,
      at: row.updatedAt,
      toldTo: isTold && email ? maskedEmail(email) : null,
      past: link === "valid" && isOver(row.status) ? await pastOf(inside, row) : [],
    };
  });

/** What another card is charged for at once. */
async function owedCycleOf(
  ctx: Context,
  { id, status }: SubscriptionRow,
  open: CycleRow | undefined,
): Promise<CycleRow | undefined> {
  const waiting = status === "unpaid" ? (open ?? (await lastFailedOf(ctx, id))) : open;
  return waiting?.status === "pending" || status === "paused" ? undefined : waiting;
}

const itemsOf = ({ items }: SubscriptionRow): SubscriptionPageView["items"] =>
  items.map(({ name, amount, quantity }) => ({
    name: String(name),
    quantity: Number(quantity),
    unitPrice: Number(amount),
  }));

function nowOf(row: SubscriptionRow, open: CycleRow | undefined): SubscriptionNow {
  if (open?.status === "pending") return { kind: "pending" };
  if (row.status === "unpaid" || row.status === "paused") return { kind: row.status };
  if (row.status === "trialing") return { kind: "trial", until: row.trialEndAt ?? row.startAt, first: row.startAt };
  const last = open && lastRetryDay(open);
  if (open?.waitsForCard && last) return { kind: "card", on: last };
  if (open?.nextRetryOn) return { kind: "retry", on: open.nextRetryOn };
  if (row.cancelOn !== null) return { kind: "ends", on: row.cancelOn };
  return row.nextDueOn === null ? { kind: "none" } : { kind: "next", on: row.nextDueOn };
}

export type CardPressed =
  | { readonly kind: "done"; readonly done: NonNullable<SubscriptionPageView["done"]> }
  | { readonly kind: "notice"; readonly notice: PageNotice };

const notice = (told: PageNotice): CardPressed => ({ kind: "notice", notice: told });
/** Another card is what the form on the page is for: nothing else has to lead to it. */
const OFFERED: ReadonlySet<Action> = new Set<Action>(["retry"]);
const declined = (refusal: DeclineRefusal, minutes?: number): CardPressed =>
  notice({ kind: "declined", refusal, actions: waysOut(refusal, OFFERED), ...(minutes ? { minutes } : {}) });

/**
 * Another card: counted and guarded as on a link, checked by an authorization of zero, and tried at once where a cycle
 * waits for it.
 */
export async function pressCard(
  opened: OpenedSubscription,
  form: TypedForm,
  visitor: Visit & Read,
): Promise<CardPressed> {
  const pressed = await tryCard(opened, form, visitor);
  if (pressed.kind !== "notice" || pressed.notice.kind !== "declined") return pressed;
  return { ...pressed, notice: { ...pressed.notice, isCardChange: !(await isOwing(opened.ctx, opened.row)) } };
}

async function tryCard(opened: OpenedSubscription, form: TypedForm, visitor: Visit & Read): Promise<CardPressed> {
  const { ctx, row } = opened;
  const subject = subjectOf(row, visitor);
  const reader = readerOf(form, ctx.account.mode === "sandbox");
  const card = typedCard(reader, saoPauloDay(now(ctx)).slice(0, "2026-11".length));
  refuseBrands(reader, await inTransaction(ctx, (inside) => brandsKept(inside, row.merchantId)), [card]);
  if (reader.problems.length > 0) return notice({ kind: "fields", fields: reader.problems });
  try {
    const gate = await gateOf(ctx, {
      ...subject,
      captcha: form.get("captcha") || null,
      isCard: true,
      isOfSubscription: true,
    });
    const { tokenId } = await createToken(ctx, { kind: "card", card });
    const cardId = await checkedCard(ctx, row, tokenId, (inside, id) => gate.pass(inside, { cardId: id }));
    if (!cardId) return declined("unavailable");
    const code = await refusalOfCheck(ctx, cardId);
    if (code !== undefined) return declined(shownRefusal(declineRefusal(code), 0, gate.standing.isNeutral));
    return await replace(ctx, row, cardId, {
      locale: visitor.locale,
      isNeutral: gate.standing.isNeutral,
      // The check of zero and the charge are two answers of an issuer, and count as two.
      alongside: (inside, charge) => admitCards(inside, subject, charge),
    });
  } catch (thrown) {
    return refused(thrown);
  }
}

async function checkedCard(
  ctx: Context,
  { merchantId }: SubscriptionRow,
  tokenId: string,
  pass: (inside: Context, cardId: string) => Promise<void>,
): Promise<string | undefined> {
  const saved = await createCard(ctx, { tokenId, merchantId, cvvCheck: true }, pass);
  return saved?.card.id;
}

/** Undefined where nothing is against the card: also while no provider could say. */
const refusalOfCheck = (ctx: Context, cardId: string): Promise<string | undefined> =>
  inTransaction(ctx, async (inside) => {
    const card = await findCard(inside, cardId);
    const isFailed = card?.status === "failed";
    await endCardCheck(inside, cardId, isFailed ? "declined" : "approved");
    return isFailed ? (card.statusReason ?? "generic") : undefined;
  });

interface Replacing extends Read, Pick<StartOptions, "alongside"> {
  isNeutral: boolean;
}

async function replace(
  ctx: Context,
  { id, customerId }: SubscriptionRow,
  cardId: string,
  { locale, isNeutral, alongside }: Replacing,
): Promise<CardPressed> {
  await inTransaction(ctx, async (inside) => {
    await changeSubscription(inside, await lockSubscription(inside, id), { locale });
    await linkCard(inside, customerId, { cardId, default: false });
  });
  const changes = subscriptionChanges.parse({ paymentMethod: { card: { cardId } } });
  const { row, last } = await updateSubscription(ctx, id, changes, { alongside });
  const tried = last?.tries.findLast((one) => one.cardId === cardId);
  if (!tried) return (await isOwing(ctx, row)) ? declined("already_declined") : { kind: "done", done: "saved" };
  if (tried.status === "failed") return declined(shownRefusal(declineRefusal(tried.error ?? undefined), 0, isNeutral));
  return { kind: "done", done: tried.status === "authorized" ? "paid" : "pending" };
}

/** Still: the networks bar the card, so it was not tried. */
const isOwing = (ctx: Context, row: SubscriptionRow): Promise<boolean> =>
  inTransaction(
    ctx,
    async (inside) => (await owedCycleOf(inside, row, await openCycleOf(inside, row.id))) !== undefined,
  );

const SECONDS_PER_MINUTE = 60;

function refused(thrown: unknown): CardPressed {
  if (thrown instanceof CardRefused) {
    const { declinedCode: code } = thrown;
    const field = code === "expired_card" ? "cardExpiration" : code.includes("cvv") ? "cardCvv" : "cardNumber";
    return notice({ kind: "fields", fields: [{ field }] });
  }
  if (thrown instanceof RequestError && thrown.status === 429) {
    return declined("too_many", Math.ceil((thrown.retryAfterSeconds ?? 0) / SECONDS_PER_MINUTE));
  }
  if (!(thrown instanceof DomainError)) throw thrown;
  if (thrown.businessCode.startsWith("captcha")) return declined("captcha");
  // What ended meanwhile is what the page shows next.
  if (thrown.businessCode === "subscription_invalid_state") return notice({ kind: "problem", problem: "stale" });
  throw thrown;
}

export const isEnded = ({ row }: OpenedSubscription): boolean => isOver(row.status);

/** Nothing where the shop does not allow it, or it is over already. */
export const cancelByBuyer = ({ ctx, row, link }: OpenedSubscription): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const merchant = await findMerchant(inside, row.merchantId);
    const { status } = await lockSubscription(inside, row.id);
    if (link !== "valid" || !merchant?.buyerMayCancel || isOver(status)) return;
    await cancelById(inside, row.id, { reason: BY_BUYER });
  });

/** Once a day, to the address of the subscription and to nobody else: false for each press after the day's first. */
export const sendFreshLink = ({ ctx, row }: OpenedSubscription): Promise<boolean> =>
  inTransaction(ctx, async (inside) => {
    await lockSubscription(inside, row.id);
    return writeFreshLink(inside, row, utcDayOf(now(inside)));
  });
