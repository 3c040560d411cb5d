import { sql } from "drizzle-orm";
import type { CardRow } from "@/lib/cards/queries";
import { answerRepeat } from "@/lib/charges/answer";
import { type Context, inTransaction, now, publicKeyOf } from "@/lib/context";
import { getCustomer } from "@/lib/customers/service";
import { DomainError, invalid } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { answerSubscription, claimFor, subscriptionReply, viewById } from "@/lib/subscriptions/answer";
import { utcDayOf } from "@/lib/subscriptions/calendar";
import { amountOfItems, checkRules, requireCard, requireMerchant } from "@/lib/subscriptions/checks";
import { chooseFirst } from "@/lib/subscriptions/due";
import { insertSubscription } from "@/lib/subscriptions/insert";
import { checkTerms } from "@/lib/subscriptions/mandate-make";
import { mandateOf } from "@/lib/subscriptions/mandate-queries";
import { workOnMandate } from "@/lib/subscriptions/mandate-work";
import type { SubscriptionView } from "@/lib/subscriptions/queries";
import type { NewSubscription } from "@/lib/subscriptions/schema";
import { startTry } from "@/lib/subscriptions/start";
import { guardOf } from "@/lib/velocity/guard";

/**
 * Writes the subscription, and charges its first cycle while the client waits when it starts today (spec/contract.md
 * 17.4): both are accepted together, or neither. A refused first charge is a valid answer: `lastCycle` shows it. A caller that may send
 * twice names it by an `id` of its own: the second finds it taken.
 */
export async function createSubscription(
  ctx: Context,
  input: NewSubscription,
  captcha: string | null,
  id = newId(),
): Promise<SubscriptionView> {
  const concluded = (inside: Context) =>
    answerSubscription(inside, {
      read: (last) => viewById(last, id),
      reply: (last, view) => subscriptionReply(last, view, 201),
    });
  const today = utcDayOf(now(ctx));
  const isAtOnce = input.trial === undefined && (input.recurrence.startAt ?? today) === today;
  if (input.paymentMethod.type === "pix_automatic") return createMandated(ctx, id, input, concluded);
  if (!isAtOnce)
    return inTransaction(ctx, async (inside) => {
      await acceptSubscription(inside, id, input);
      return concluded(inside);
    });
  await startTry(ctx, id, chooseFirst(), {
    cvv: input.paymentMethod.card.cvv,
    alongside: await guarded(ctx, input, captcha),
    before: (inside) => acceptSubscription(inside, id, input),
  });
  return concluded(ctx);
}

/** The bank is told of the mandate while the client waits: the answer has what the buyer scans, once the bank gave it. */
async function createMandated(
  ctx: Context,
  id: string,
  input: NewSubscription,
  concluded: (inside: Context) => Promise<SubscriptionView>,
): Promise<SubscriptionView> {
  const { paymentMethod } = input;
  const isPaidFirst = paymentMethod.type === "pix_automatic" && paymentMethod.journey === "qr_with_first_payment";
  if (isPaidFirst)
    await startTry(ctx, id, chooseFirst(), { before: (inside) => acceptSubscription(inside, id, input) });
  else await inTransaction(ctx, (inside) => acceptSubscription(inside, id, input));
  const mandate = await inTransaction(ctx, (inside) => mandateOf(inside, id));
  if (mandate) await workOnMandate(ctx, mandate.id);
  return concluded(ctx);
}

/** A browser's key that charges a card passes the limits against card testing, as for any payment. */
async function guarded(ctx: Context, { merchantId, items }: NewSubscription, captcha: string | null) {
  if (ctx.principal.kind !== "public") return undefined;
  await answerRepeat(ctx);
  const payment = { merchantId, amount: amountOfItems(items), captchaEnabled: false };
  return guardOf(ctx, { payment, isCard: true, captcha });
}

interface Days {
  startAt: string;
  trialEndAt: string | null;
}

/** What of the days is wrong, in the words of their members. */
function daysOf({ recurrence, trial }: NewSubscription, today: string): Days {
  if (trial && trial.endAt <= today) throw invalid("trial.endAt: must be after today");
  const { startAt = trial?.endAt ?? today } = recurrence;
  if (startAt < today) throw invalid("recurrence.startAt: must not be in the past");
  if (trial && startAt < trial.endAt) throw invalid("recurrence.startAt: must not be before the end of the trial");
  return { startAt, trialEndAt: trial?.endAt ?? null };
}

/** A browser's key pays with a card that it did not make only by showing its code, and so at once (rulings 19). */
function demandCode({ principal }: Context, card: CardRow, cvv: string | undefined, isAtOnce: boolean): void {
  const isStranger = principal.kind === "public" && card.createdByKey !== principal.publicKey;
  if (!isStranger || (isAtOnce && cvv !== undefined)) return;
  throw new DomainError("cvv_required", "another key saved this card: its CVV must be sent, with a start today");
}

/** Its rows, without any call to a provider. */
export async function acceptSubscription(ctx: Context, id: string, input: NewSubscription): Promise<void> {
  const { account } = ctx;
  const at = now(ctx);
  const today = utcDayOf(at);
  await claimFor(ctx, ctx, id);
  const { startAt, trialEndAt } = daysOf(input, today);
  const { merchantId, customerId, recurrence, paymentMethod, splitRules = [] } = input;
  const amount = amountOfItems(input.items);
  await requireMerchant(ctx, merchantId);
  const customer = await getCustomer(ctx, customerId);
  const isToday = startAt === today;
  let cardId: string | null = null;
  if (paymentMethod.type === "credit") {
    const card = await requireCard(ctx, paymentMethod.card.cardId, customerId);
    demandCode(ctx, card, paymentMethod.card.cvv, trialEndAt === null && isToday);
    cardId = card.id;
  } else checkTerms(paymentMethod, input, { isToday, isTrial: trialEndAt !== null }, customer);
  await checkRules(ctx, merchantId, amount, splitRules);
  const row = {
    id,
    merchantId,
    customerId,
    name: input.name,
    referenceKey: input.referenceKey ?? null,
    items: input.items,
    amount,
    interval: recurrence.interval,
    cycles: recurrence.cycles ?? null,
    startAt,
    trialEndAt,
    method: paymentMethod.type,
    cardId,
    installments: paymentMethod.type === "credit" ? paymentMethod.installments : 1,
    splitRules,
    locale: localeOf(account.id, customerId),
    createdByKey: publicKeyOf(ctx) ?? null,
    createdAt: at,
    updatedAt: at,
  };
  await insertSubscription(ctx, row, paymentMethod.type === "pix_automatic" ? paymentMethod : undefined);
}

/** As the buyer read the page of another subscription; else the account's. */
const localeOf = (clientId: string, customerId: string) => sql<"pt-BR" | "en">`(
  select coalesce(
    (select s.locale from subscriptions s
      where s.customer_id = ${customerId} and (s.session_id is not null or s.locale <> c.locale)
      order by s.created_at desc limit 1),
    c.locale)
  from clients c where c.id = ${clientId})`;
