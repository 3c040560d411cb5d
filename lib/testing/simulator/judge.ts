import { type Bank, type Deposit, isOpen, refundedOf } from "@/lib/testing/simulator/bank";
import { statusShown } from "@/lib/testing/simulator/glance";
import { wrongsOfCharges } from "@/lib/testing/simulator/judge-charges";
import { isSplit, ordersOf } from "@/lib/testing/simulator/orders";
import type { Shop } from "@/lib/testing/simulator/shop";
import { wrongsOfSplits } from "@/lib/testing/simulator/splits";
import type { World } from "@/lib/testing/simulator/world";

interface PurchaseSeen {
  id: string;
  order_id: string;
  status: "pending" | "paid" | "failed" | "cancelled";
  amount: number;
  capture: boolean;
  review: string | null;
  review_since: Date | null;
  active: string | null;
}
interface SlotSeen {
  slot: number;
  status: string;
  amount: number;
  refunded: number;
  charge_id: string | null;
  charge_status: string | null;
  original: number | null;
  charge_captured: number | null;
  charge_refunded: number | null;
  watched: boolean;
  queried: boolean;
  receivable: number;
  /** To the merchant and its sellers, with what it keeps of their fees. */
  owed: number;
  memo: number;
}

const ENDS = ["authorized", "failed", "voided", "canceled", "charged_back"];

/** Every invariant of spec/invariants.md that concerns purchases and money, against the provider's own log. */
export async function judge(world: World, shop: Shop): Promise<string[]> {
  const { bank, failures, logged } = world;
  await statusShown(world, shop);
  const wrongs = [...failures, ...logged.map((line) => `logged: ${line}`), ...bank.wrongs];
  const purchases = await readPurchases(world, shop);
  const twice = purchases.some(({ id, order_id }) =>
    purchases.some((one) => one.order_id === order_id && one.id !== id),
  );
  if (twice) wrongs.push("I1: one key, two purchases");
  for (const purchase of purchases) {
    const slots = await readSlots(purchase, shop);
    wrongs.push(...ofPurchase(purchase, slots, bank));
    for (const slot of slots) wrongs.push(...ofSlot(purchase, slot, bank));
    wrongs.push(...(await ofLedgerAndEvents(purchase, shop)));
    world.count("purchases");
    if (purchase.review) world.count("underReview");
    world.count("notJudged", slots.filter((slot) => !isAtRest(purchase, slot)).length);
  }
  wrongs.push(...(await wrongsOfCharges(world, shop)));
  if (isSplit(world.seed)) wrongs.push(...(await wrongsOfSplits(world, shop)));
  if (purchases.length === 0) world.count("withoutPurchase");
  return [...new Set(wrongs)];
}

const readPurchases = ({ seed }: World, { owner }: Shop) => owner.sql<PurchaseSeen[]>`
  select p.id, p.order_id, p.status, p.amount::int as amount, p.capture, p.review_reason as review, p.review_since,
         (select o.type from purchase_operations o
           where o.purchase_id = p.id and o.status in ('pending', 'processing')) as active
    from purchases p where p.order_id = any(${ordersOf(seed)}) order by p.order_id`;

const readSlots = ({ id }: PurchaseSeen, { owner }: Shop) => owner.sql<SlotSeen[]>`
  select s.slot_index as slot, s.status, s.amount::int as amount, s.refunded_amount::int as refunded, s.charge_id,
         c.status as charge_status, c.original_amount::int as original, c.captured_amount::int as charge_captured,
         c.refunded_amount::int as charge_refunded,
         exists (select 1 from due_jobs j where j.ref_id = s.charge_id and j.kind = 'orphan.watch')
           or c.operation is not null as watched,
         exists (select 1 from due_jobs j where j.ref_id = s.charge_id and j.kind = 'attempt.query') as queried,
         coalesce((select sum(x.amount) from postings x join journals j on j.id = x.journal_id
                     join ledger_accounts a on a.id = x.account_id
                    where j.charge_id = s.charge_id and a.kind = 'provider_receivable'
                      and j.event_type not in ('settlement', 'provider_cost')), 0)::int as receivable,
         -coalesce((select sum(x.amount) from postings x join journals j on j.id = x.journal_id
                     join ledger_accounts a on a.id = x.account_id
                    where j.charge_id = s.charge_id and a.kind in ('merchant_pending', 'merchant_available',
                      'seller_pending', 'seller_available', 'revenue:platform_fee')), 0)::int as owed,
         coalesce((select sum(x.amount) from postings x join journals j on j.id = x.journal_id
                     join ledger_accounts a on a.id = x.account_id
                    where j.charge_id = s.charge_id and a.kind = 'memo:hold'), 0)::int as memo
    from purchase_payments s left join charges c on c.id = s.charge_id
   where s.purchase_id = ${id} order by s.slot_index`;

const ofCharge = (bank: Bank, chargeId: string | null): Deposit[] =>
  bank.deposits.filter((deposit) => deposit.chargeId === chargeId);
const sumOf = (deposits: readonly Deposit[], amount: (one: Deposit) => number): number =>
  deposits.reduce((sum, one) => sum + amount(one), 0);

function ofPurchase(purchase: PurchaseSeen, slots: readonly SlotSeen[], bank: Bank): string[] {
  const wrongs: string[] = [];
  const { status, review, active } = purchase;
  if (slots.length < 2 || slots.length > 3 || slots.reduce((sum, { amount }) => sum + amount, 0) !== purchase.amount) {
    wrongs.push("M1: the cards do not add up to the purchase");
  }
  if (active && review) wrongs.push(`M15: ${active} runs under review`);
  if (active && !review) wrongs.push(`L1: ${active} has not ended after days`);
  const isWaiting = !purchase.capture && slots.every((slot) => slot.status === "pre_authorized");
  if (status === "pending" && !active && !review && !isWaiting) wrongs.push("L2: pending, and nothing will move it");
  if (status === "pending" && !active && !review && isWaiting)
    wrongs.push("row P8: the holds ended, and nobody saw it");
  if (status !== "pending" && !active && !review && slots.some((slot) => !ENDS.includes(slot.status))) {
    wrongs.push(`L4: ${status}, and a card has not ended`);
  }
  const deposits = slots.flatMap(({ charge_id }) => ofCharge(bank, charge_id));
  if (status === "failed" && deposits.some(({ captured }) => captured > 0)) {
    wrongs.push("M6: failed, and money was captured");
  }
  const kept = sumOf(deposits, (one) => one.captured - refundedOf(one) - one.chargedBack);
  if (status === "cancelled" && kept !== 0 && !wasWon(bank, deposits))
    wrongs.push(`M7: cancelled, and ${kept} cents were kept`);
  wrongs.push(...ofCaptures(slots, bank));
  if (review && purchase.review_since) wrongs.push(...ofReview(purchase.review_since.getTime(), slots, bank));
  return wrongs;
}

/** A dispute won after everything else went back returns money to an ended purchase: no invariant forbids it. */
const wasWon = (bank: Bank, deposits: readonly Deposit[]): boolean =>
  deposits.some(({ id, captured }) => captured > 0 && bank.won.has(id));

/** spec/invariants.md M9, by the order of the provider's log. */
function ofCaptures(slots: readonly SlotSeen[], bank: Bank): string[] {
  const first = bank.log.findIndex(
    ({ kind, operation, chargeId }) =>
      kind === "call" && operation === "capture" && slots.some(({ charge_id }) => charge_id === chargeId),
  );
  if (first < 0) return [];
  const before = bank.log.slice(0, first);
  const isHeld = ({ slot, charge_id }: SlotSeen): boolean =>
    before.some(
      (one) =>
        one.chargeId === charge_id &&
        one.slot === slot &&
        one.kind === "effect" &&
        (one.says === "held" || one.says === "pending"),
    );
  return slots.every(isHeld) ? [] : ["M9: a capture was sent before every card was held"];
}

/** Under review automation has stopped: only questions, and releases of what an orphan watch found. */
function ofReview(sinceMs: number, slots: readonly SlotSeen[], bank: Bank): string[] {
  const moved = bank.log.find(
    ({ kind, operation, atMs, chargeId }) =>
      kind === "call" &&
      operation !== "query" &&
      atMs > sinceMs &&
      slots.some((slot) => slot.charge_id === chargeId && !slot.watched) &&
      !bank.isStalled(atMs),
  );
  return moved ? [`M15: ${moved.operation} was sent under review`] : [];
}

/** Its amounts are told by nobody yet: of such a card only what must hold at every instant is judged. */
const isAtRest = ({ review, active }: Pick<PurchaseSeen, "review" | "active">, { status }: SlotSeen): boolean =>
  status !== "processing" && status !== "undetermined" && !active && !review;

function ofSlot({ status, review, active }: PurchaseSeen, slot: SlotSeen, bank: Bank): string[] {
  const wrongs: string[] = [];
  const name = `card ${slot.slot}`;
  const deposits = ofCharge(bank, slot.charge_id);
  const captured = sumOf(deposits, (one) => one.captured);
  const refunded = sumOf(deposits, refundedOf);
  const disputed = sumOf(deposits, (one) => one.chargedBack);
  if (captured > slot.amount) wrongs.push(`M3: more was captured of ${name} than asked`);
  if (deposits.some((one) => one.captured > one.authorized)) wrongs.push(`M3: ${name} captured above its hold`);
  if (refunded + disputed > captured) wrongs.push(`M3: more went back to ${name} than was taken`);
  if (slot.original !== null && slot.original !== slot.amount) wrongs.push(`M12: the amount of ${name} changed`);
  const isHeld = deposits.some(isOpen);
  if (status !== "pending" && isHeld && !slot.watched && !review) {
    wrongs.push(`${status === "cancelled" ? "M7" : "M16"}: ${status}, ${name} is held and nobody looks`);
  }
  if (slot.status === "failed" && isHeld && !slot.watched) wrongs.push(`L7: ${name} failed and stays held`);
  if (!review && deposits.some(({ id }) => bank.lapsed.has(id))) {
    wrongs.push(`L7: the hold of ${name} was left until it ended by itself`);
  }
  const isOpenCall = slot.status === "processing" || slot.status === "undetermined";
  if (isOpenCall && !review && !slot.queried && !active) wrongs.push(`L6: nobody asks about ${name}`);
  if (!isAtRest({ review, active }, slot)) return wrongs;
  if (slot.refunded !== refunded) wrongs.push(`M4: ${name} shows ${slot.refunded} given back, it was ${refunded}`);
  if (status === "paid" && captured !== slot.amount) wrongs.push(`M5: paid, and ${name} was captured for ${captured}`);
  if ((slot.charge_captured ?? 0) !== captured)
    wrongs.push(`${name}: captured ${captured}, shown ${slot.charge_captured}`);
  if (slot.status === "charged_back" && disputed === 0) wrongs.push(`${name} is shown disputed and is not`);
  if (slot.status === "authorized" && disputed > 0) wrongs.push(`${name} is disputed and nobody knows`);
  const sold = captured - refunded;
  if (slot.receivable !== sold) wrongs.push(`P5: the books hold ${slot.receivable} of ${name}, the provider ${sold}`);
  // A dispute is paid from the bank and owed by whoever is liable.
  const owed = sold - disputed;
  if (slot.owed !== owed) wrongs.push(`P5: ${slot.owed} of ${name} is owed, not ${owed}`);
  if (slot.memo !== 0 && slot.status !== "pre_authorized") wrongs.push(`the books still hold ${slot.memo} of ${name}`);
  return wrongs;
}

async function ofLedgerAndEvents({ id, status, review }: PurchaseSeen, { owner }: Shop): Promise<string[]> {
  const [row] = await owner.sql<{ insisted: boolean; unbalanced: number; gaps: number; last: string | null }[]>`
    select exists (select from transaction_requests refused
                     join transaction_requests later on later.charge_id = refused.charge_id and later.kind = 'capture'
                      and later.created_at > refused.created_at
                    where refused.kind = 'capture' and refused.state = 'declined'
                      and refused.charge_id in (select charge_id from purchase_payments where purchase_id = ${id})) as insisted,
           (select count(*)::int from (
              select j.id from journals j join postings x on x.journal_id = j.id
               where j.charge_id in (select charge_id from purchase_payments where purchase_id = ${id})
               group by j.id having sum(x.amount) <> 0) broken) as unbalanced,
           (select count(*)::int from (
              select entity_version - row_number() over (partition by entity_id order by entity_version) as gap
                from events where entity_id = ${id}
                   or entity_id in (select charge_id from purchase_payments where purchase_id = ${id})) e
             where gap <> 0) as gaps,
           (select event from events where entity_id = ${id} order by entity_version desc limit 1) as last`;
  const wrongs: string[] = [];
  if (row?.insisted) wrongs.push("O6: a card refused its capture, and was asked again");
  if (row && row.unbalanced > 0) wrongs.push("M2: a journal is not balanced");
  if (row && row.gaps > 0) wrongs.push("E: versions of events have gaps");
  if (row?.last?.endsWith("pending_review") ? review === null : row?.last !== status) {
    if (!(review !== null)) wrongs.push(`E: the last event told ${row?.last}, the purchase is ${status}`);
  }
  return wrongs;
}
