import { subscriptionMandates } from "@/db/schema/subscriptions";
import { type Context, now } from "@/lib/context";
import type { CustomerRow } from "@/lib/customers/queries";
import { schedule } from "@/lib/due-jobs/schedule";
import { DomainError, invalid } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { decideRoute } from "@/lib/payments/routing/decide";
import { mandateLack } from "@/lib/payments/routing/mandates";
import { providersOf } from "@/lib/payments/routing/provider";
import type { MandateJourney, MandateRetry } from "@/lib/providers/mandates";
import { type AskedRule, modeOf } from "@/lib/splits/check";
import type { SubscriptionRow } from "@/lib/subscriptions/queries";
import type { NewSubscription } from "@/lib/subscriptions/schema";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** As long as a code waits for the buyer: one that pays, or holds a link's place, a day; any other a week. */
const FIRST_PAYMENT_SECONDS = DAY_SECONDS;
const AUTHORIZATION_SECONDS = 7 * DAY_SECONDS;
const INTERVALS: ReadonlySet<string> = new Set(["weekly", "monthly", "quarterly", "yearly"]);

export interface MandateTerms {
  journey: MandateJourney;
  retry: MandateRetry;
  /** Of a link's code, where that is less than a day. */
  lifeSeconds?: number;
}

/** What a mandate asks of the rest of the request, in the words of its members. */
export function checkTerms(
  { journey }: MandateTerms,
  { recurrence }: Pick<NewSubscription, "recurrence">,
  days: { isToday: boolean; isTrial: boolean },
  customer: Pick<CustomerRow, "documentType" | "documentNumber">,
): void {
  if (!INTERVALS.has(recurrence.interval)) {
    throw invalid("recurrence.interval: Pix Automático is weekly, monthly, quarterly or yearly");
  }
  if (journey === "qr_with_first_payment" && (!days.isToday || days.isTrial)) {
    throw invalid("paymentMethod.journey: a first payment needs a start today and no trial");
  }
  const type = customer.documentType.toUpperCase();
  if (customer.documentNumber === null || (type !== "CPF" && type !== "CNPJ")) {
    throw invalid("customerId: Pix Automático needs the customer's CPF or CNPJ");
  }
}

/** Writes it with its subscription, at the first provider that can keep it; refused before any call where none can. */
export async function makeMandate(
  ctx: Context,
  row: SubscriptionRow,
  { journey, retry, lifeSeconds }: MandateTerms,
): Promise<void> {
  const at = now(ctx);
  // Guarantee: written from the request schema.
  const rules = row.splitRules as unknown as AskedRule[];
  const present = await providersOf(ctx, row.merchantId);
  const lacks = present.flatMap((one) => mandateLack(one) ?? []);
  const providers = present.filter((one) => mandateLack(one) === undefined);
  const { providers: able, refusal } = decideRoute(
    {
      method: "pix",
      currency: row.currency,
      installments: 1,
      split: modeOf(rules),
      ...(rules.length > 0 ? { recipients: rules.length } : {}),
      threeDS: false,
      authOnly: false,
      mandate: { journey, retry, interval: row.interval },
    },
    providers,
  );
  if (refusal && lacks[0] !== undefined) throw new DomainError("payment_method_not_supported", lacks[0]);
  if (refusal) throw refusal;
  const chosen = providers.find(({ id }) => id === able[0]);
  if (!chosen) throw new Error("a route without its provider");
  const id = newId();
  const isOfLink = row.sessionId !== null;
  const longest = journey === "qr_with_first_payment" || isOfLink ? FIRST_PAYMENT_SECONDS : AUTHORIZATION_SECONDS;
  const waits = Math.min(lifeSeconds ?? longest, longest);
  await ctx.db.insert(subscriptionMandates).values({
    id,
    clientId: ctx.account.id,
    subscriptionId: row.id,
    merchantId: row.merchantId,
    customerId: row.customerId,
    providerId: chosen.id,
    providerType: chosen.kind,
    journey,
    retry,
    amount: row.amount,
    interval: row.interval,
    startOn: row.startAt,
    status: "created",
    call: "planned",
    expiresAt: addSeconds(at, waits),
    createdAt: at,
    updatedAt: at,
  });
  await schedule(ctx, "mandate.query", id, addSeconds(at, LEFT_SECONDS));
}

/** A request that died before its call leaves it to a worker. */
const LEFT_SECONDS = 30;
