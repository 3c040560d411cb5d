import { randomUUID } from "node:crypto";
import { publicKeys } from "@/db/schema/accounts";
import { type SessionAction, type StoredMethod, sessions } from "@/db/schema/sessions";
import { audit } from "@/lib/audit";
import { addDays, saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Context, now, publicKeyOf } from "@/lib/context";
import { getCustomer } from "@/lib/customers/service";
import { schedule, unschedule } from "@/lib/due-jobs/schedule";
import { DomainError, invalid } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { findMerchant, type MerchantRow } from "@/lib/merchants/queries";
import { MAX_CENTS } from "@/lib/money";
import { isPayableCurrency } from "@/lib/payments/routing/facts";
import { applyRule, ruleFor } from "@/lib/platform-fees/fee";
import { feeRulesOf } from "@/lib/platform-fees/queries";
import { announceSession } from "@/lib/sessions/announce";
import { type ChangedField, recordSessionChange } from "@/lib/sessions/history";
import { sessionMachine } from "@/lib/sessions/machine";
import { activeChange, changeOfferedSession, complete } from "@/lib/sessions/places";
import { getSession, lockSession } from "@/lib/sessions/queries";
import type { NewSession, SessionChange, SessionMethod } from "@/lib/sessions/schema";
import { storedRule } from "@/lib/sessions/share";
import { capacityOf, isPastDue, type SessionRow, UNLIMITED } from "@/lib/sessions/state";
import { subscriptionOf } from "@/lib/sessions/subscription";
import { checkSplit } from "@/lib/splits/check";
import { partiesOf } from "@/lib/splits/parties";
import { realNow } from "@/lib/time";
import { requireVendor } from "@/lib/vendors/service";

const LOCAL_ONLY: readonly string[] = ["pix", "boleto"];

/** An order that can be paid from now on (spec/contract.md 9.1). */
export async function createSession(ctx: Context, input: NewSession): Promise<SessionRow> {
  const at = now(ctx);
  const merchant = await findMerchant(ctx, input.merchantId, "key share");
  if (!merchant) throw new DomainError("merchant_not_found", "the merchant does not exist");
  if (input.customerId) await getCustomer(ctx, input.customerId);
  const vendor = await requireVendor(ctx, input.vendor);
  const amount = input.amount ?? totalOf(input.items);
  checkMethods(input, at);
  checkDueDate(input.dueDate, addDays(saoPauloDay(at), 1), "tomorrow");
  checkCapacity(input.paymentMethods, input.maxPayments);
  const subscription = subscriptionOf(input, amount);
  const rules = input.splitRules ?? [];
  const parties = await partiesOf(ctx, merchant.id, rules);
  if (rules.length > 0) checkSplit(rules, amount, parties);
  await refuseFee(ctx, merchant, input.paymentMethods, amount);
  return insert(ctx, {
    ...input,
    amount,
    paymentMethods: plain(input.paymentMethods),
    items: input.items.map((item) => ({
      id: newId(),
      name: item.name,
      description: item.description ?? null,
      unitPrice: item.unitPrice,
      quantity: item.quantity,
      tangible: item.tangible ?? null,
      categoryId: item.categoryId ?? null,
    })),
    splitRules: rules.map((rule) => storedRule(rule, parties.get(rule.sellerId))),
    vendor,
    subscription,
    dueAt: input.dueDate ?? null,
    hasLink: input.createLink,
  });
}

/** The same order once more, to be paid by somebody else: nothing of its payments comes along. */
export async function duplicateSession(ctx: Context, id: string): Promise<SessionRow> {
  const original = await getSession(ctx, id);
  const dueAt = isPastDue(original, now(ctx)) ? null : original.dueAt;
  return insert(ctx, { ...original, dueAt, isActive: true });
}

type Order = Pick<
  typeof sessions.$inferInsert,
  | "merchantId"
  | "customerId"
  | "isActive"
  | "captchaEnabled"
  | "hasLink"
  | "name"
  | "description"
  | "orderId"
  | "amount"
  | "currency"
  | "capture"
  | "statementDescriptor"
  | "providerReferenceKey"
  | "dueAt"
  | "paymentMethods"
  | "items"
  | "splitRules"
  | "vendor"
  | "maxPayments"
  | "subscription"
>;

async function insert(ctx: Context, order: Order): Promise<SessionRow> {
  if (order.hasLink && order.amount === 0) {
    throw new DomainError("session_amount_zero", "amount: must be at least 1 for a link");
  }
  const at = now(ctx);
  const id = newId();
  // Version 4: nothing about a key tells the next one.
  const publicKey = randomUUID();
  await ctx.db
    .insert(publicKeys)
    .values({ publicKey, clientId: ctx.account.id, scope: [], sessionId: id, expires: 0, createdAt: realNow() });
  const [row] = await ctx.db
    .insert(sessions)
    .values({
      id,
      clientId: ctx.account.id,
      merchantId: order.merchantId,
      customerId: order.customerId ?? null,
      isActive: order.isActive,
      captchaEnabled: order.captchaEnabled,
      hasLink: order.hasLink,
      name: order.name ?? null,
      description: order.description ?? null,
      orderId: order.orderId ?? null,
      amount: order.amount,
      currency: order.currency,
      capture: order.capture,
      statementDescriptor: order.statementDescriptor ?? null,
      providerReferenceKey: order.providerReferenceKey ?? null,
      dueAt: order.dueAt ?? null,
      paymentMethods: order.paymentMethods,
      items: order.items,
      splitRules: order.splitRules,
      vendor: order.vendor ?? null,
      publicKey,
      maxPayments: order.maxPayments ?? null,
      subscription: order.subscription ?? null,
      createdByKey: publicKeyOf(ctx) ?? null,
      createdAt: at,
      updatedAt: at,
    })
    .returning();
  if (!row) throw new Error("the session was not written");
  await recordSessionChange(ctx, row, {
    actions: ["statusChanged"],
    changes: { status: { from: null, to: row.status } },
  });
  await audit(ctx, { action: "session.create", object: "session", objectId: id, after: { amount: row.amount } });
  await remindOfDueDate(ctx, row);
  return announceSession(ctx, row, "created");
}

const remindOfDueDate = (ctx: Context, { id, dueAt, isActive }: SessionRow): Promise<void> =>
  dueAt && isActive ? schedule(ctx, "session.expires", id, dueAt) : unschedule(ctx, "session.expires", id);

function totalOf(items: NewSession["items"]): number {
  // Exact whatever the factors: a sum that does not fit is refused, never rounded.
  const total = items.reduce((sum, { unitPrice, quantity }) => sum + BigInt(unitPrice) * BigInt(quantity), 0n);
  if (total > BigInt(MAX_CENTS)) throw invalid("items: their sum is too large");
  return Number(total);
}

function checkMethods({ paymentMethods, currency }: NewSession, at: Date): void {
  if (!isPayableCurrency(currency)) {
    throw new DomainError("currency_not_supported", `no way to pay takes ${currency}: payments are made in BRL`);
  }
  for (const [index, method] of paymentMethods.entries()) {
    if (method.paymentType === "boleto" && method.expiresDate < saoPauloDay(at)) {
      throw invalid(`paymentMethods.${index}.expiresDate: must not be in the past`);
    }
  }
}

function checkDueDate(given: Date | null | undefined, earliest: string, word: string): void {
  if (given && saoPauloDay(given) < earliest) {
    throw invalid(`dueDate: must be ${word} or later in America/Sao_Paulo`);
  }
}

/** A code that anybody may pay cannot be counted out beforehand: once, or any number of times. */
function checkCapacity(methods: readonly { paymentType: string }[], maxPayments: number | null | undefined): void {
  const isCounted = maxPayments != null && maxPayments > 1;
  if (isCounted && methods.some(({ paymentType }) => LOCAL_ONLY.includes(paymentType))) {
    throw new DomainError(
      "pix_boleto_multiple_payments_not_allowed",
      "a session with Pix or boleto is paid once, or any number of times",
    );
  }
}

/** By any method the session offers, in any number of installments. */
async function refuseFee(
  ctx: Context,
  { id, platformFeeEnabled }: MerchantRow,
  methods: readonly SessionMethod[],
  amount: number,
): Promise<void> {
  if (!platformFeeEnabled) return;
  const rules = await feeRulesOf(ctx, [id]);
  for (const method of methods) {
    const most = "installments" in method ? method.installments : 1;
    for (let installments = 1; installments <= most; installments++) {
      const rule = ruleFor(rules, { paymentType: method.paymentType, installments, amount });
      const fee = rule ? applyRule(rule, amount, now(ctx)).amount : 0;
      if (fee > 0 && fee >= amount) {
        throw new DomainError("platform_fee_exceeds_link_amount", "the platform fee is not below the amount");
      }
    }
  }
}

/** Without the members that were not sent: what is answered is what was asked. */
const plain = (methods: readonly SessionMethod[]): StoredMethod[] =>
  // Guarantee: JSON drops undefined members and keeps all others as they are.
  JSON.parse(JSON.stringify(methods)) as StoredMethod[];

/** Enables, disables, moves the due date, sets the capacity (spec/contract.md 9.4); all of it or nothing. */
export async function updateSession(ctx: Context, id: string, input: SessionChange): Promise<SessionRow> {
  const from = await lockSession(ctx, id);
  const at = now(ctx);
  const dueAt = input.dueDate === undefined ? from.dueAt : input.dueDate;
  const maxPayments = input.maxPayments ?? from.maxPayments;
  checkDueDate(input.dueDate, saoPauloDay(at), "today");
  checkNewCapacity(from, input.maxPayments);
  const isRaised = from.status === "paid" && isMore(maxPayments, from);
  if (input.isActive) refuseReactivation({ ...from, dueAt }, isRaised, at);
  const changed = await changeOfferedSession(ctx, id, {
    isActive: input.isActive,
    dueAt,
    maxPayments,
    ...(input.isActive && from.status === "paid"
      ? { status: sessionMachine.next(from.status, "capacity.raised") }
      : {}),
  });
  await audit(ctx, {
    action: "session.update",
    object: "session",
    objectId: id,
    before: shown(from),
    after: shown(changed),
  });
  return settleChange(ctx, from, changed);
}

const shown = ({ status, isActive, dueAt, maxPayments }: SessionRow) => ({
  status,
  isActive,
  dueDate: dueAt?.toISOString() ?? null,
  maxPayments,
});

function checkNewCapacity(row: SessionRow, maxPayments: number | undefined): void {
  if (maxPayments === undefined) return;
  if (row.maxPayments === null) {
    throw new DomainError("max_payments_not_allowed", "the session is paid once: it was made without maxPayments");
  }
  checkCapacity(row.paymentMethods, maxPayments);
  // Payments that may still come count too: they cannot be taken back.
  if (maxPayments !== UNLIMITED && maxPayments < row.paymentCount + row.pendingCount) {
    throw new DomainError("max_payments_below_consumed", "the session was paid, or is being paid, more often");
  }
}

const isMore = (maxPayments: number | null, { paymentCount }: SessionRow): boolean =>
  maxPayments !== null && (maxPayments === UNLIMITED || maxPayments > paymentCount);

function refuseReactivation(row: SessionRow, isRaised: boolean, at: Date): void {
  if (row.status === "paid" && capacityOf(row) === 1 && isLocal(row)) {
    throw new DomainError(
      "pix_boleto_one_to_one_reactivation_blocked",
      "a session with Pix or boleto that was paid is not opened again",
    );
  }
  const isOver = row.status === "canceled" || row.status === "voided" || (row.status === "paid" && !isRaised);
  if (isOver || isPastDue(row, at)) {
    throw new DomainError(
      "session_not_reactivatable",
      isOver ? `a ${row.status} session is not opened again` : "the session is past its due date",
    );
  }
}

const isLocal = ({ paymentMethods }: SessionRow): boolean =>
  paymentMethods.some(({ paymentType }) => LOCAL_ONLY.includes(paymentType));

/** What was changed is recorded and told, and the due date's reminder follows it. */
async function settleChange(ctx: Context, from: SessionRow, to: SessionRow): Promise<SessionRow> {
  const fields = CHANGING.filter(({ member }) => String(from[member]) !== String(to[member]));
  if (fields.length > 0) {
    const changes: Record<string, ChangedField> = {};
    for (const { name, member } of fields) changes[name] = { from: from[member], to: to[member] };
    await recordSessionChange(ctx, to, { actions: fields.map(({ action }) => action), changes });
  }
  await remindOfDueDate(ctx, to);
  const capacity = capacityOf(to);
  if (to.status === "created" && capacity !== null && to.paymentCount >= capacity) return complete(ctx, to, []);
  return from.isActive && !to.isActive ? announceSession(ctx, to, "disabled") : to;
}

const CHANGING: readonly {
  name: string;
  member: "status" | "isActive" | "dueAt" | "maxPayments";
  action: SessionAction;
}[] = [
  { name: "status", member: "status", action: "statusChanged" },
  { name: "isActive", member: "isActive", action: "isActiveChanged" },
  { name: "dueDate", member: "dueAt", action: "dueDateChanged" },
  { name: "maxPayments", member: "maxPayments", action: "maxPaymentsChanged" },
];

/** The due date came: the session stays what it is and is no longer paid. */
export async function expireSession(ctx: Context, id: string): Promise<void> {
  const from = await lockSession(ctx, id);
  const at = now(ctx);
  if (from.status !== "created" || !from.isActive || !isPastDue(from, at)) return;
  const expired = await changeOfferedSession(ctx, id, { isActive: false });
  await recordSessionChange(ctx, expired, {
    actions: ["sessionExpiredByDueDate", "isActiveChanged"],
    changes: activeChange(from, expired),
    reason: "due date",
    expiredAt: at,
  });
  await announceSession(ctx, expired, "disabled");
}
