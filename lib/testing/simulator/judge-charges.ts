import { type Bank, type Deposit, isOpen, NOBODY, refundedOf } from "@/lib/testing/simulator/bank";
import { ordersOf } from "@/lib/testing/simulator/orders";
import type { Shop } from "@/lib/testing/simulator/shop";
import type { World } from "@/lib/testing/simulator/world";

interface ChargeSeen {
  id: string;
  order_id: string;
  session_id: string | null;
  method: string;
  status: string;
  amount: number;
  captured: number;
  refunded: number;
  operation: string | null;
  review: string | null;
  watched: boolean;
  receivable: number;
  owed: number;
  memo: number;
  unbalanced: number;
  gaps: number;
}

const OPEN_ENDS = ["capture_pending", "refund_pending"];

/** spec/invariants.md for charges outside purchases and for links, against the provider's own log. */
export async function wrongsOfCharges(world: World, shop: Shop): Promise<string[]> {
  const { bank } = world;
  const charges = await readCharges(world, shop);
  const wrongs: string[] = [];
  for (const charge of charges) {
    const deposits = bank.deposits.filter(({ chargeId }) => chargeId === charge.id);
    wrongs.push(...ofCharge(charge, deposits, world).map((wrong) => `${charge.method}: ${wrong}`));
    world.count(charge.session_id ? "linkCharges" : (COUNTED[charge.method] ?? "cardCharges"));
    if (charge.review) world.count("chargesUnderReview");
  }
  wrongs.push(...ofKeys(charges), ...ofLinks(charges, world), ...(await ofNobody(world, shop)));
  return wrongs;
}

const COUNTED: Readonly<Record<string, string>> = { pix: "pixCharges", boleto: "boletoCharges" };

const readCharges = ({ seed }: World, { owner }: Shop) => owner.sql<ChargeSeen[]>`
  select c.id, c.order_id, c.session_id, c.payment_type as method, c.status, c.original_amount::int as amount,
         c.captured_amount::int as captured, c.refunded_amount::int as refunded, c.operation, c.review_reason as review,
         exists (select 1 from due_jobs j where j.ref_id = c.id and j.kind = 'orphan.watch') as watched,
         coalesce(b.receivable, 0)::int as receivable, coalesce(b.owed, 0)::int as owed,
         coalesce(b.memo, 0)::int as memo,
         (select count(*)::int from (select j.id from journals j join postings x on x.journal_id = j.id
            where j.charge_id = c.id group by j.id having sum(x.amount) <> 0) broken) as unbalanced,
         (select count(*)::int from (select entity_version - row_number() over (order by entity_version) as gap
            from events where entity_id = c.id) e where gap <> 0) as gaps
    from charges c
    left join lateral (
      select sum(x.amount) filter (where a.kind = 'provider_receivable'
                                  and j.event_type not in ('settlement', 'provider_cost')) as receivable,
             -sum(x.amount) filter (where a.kind in ('merchant_pending', 'merchant_available', 'seller_pending',
                                  'seller_available', 'revenue:platform_fee')) as owed,
             sum(x.amount) filter (where a.kind = 'memo:hold') as memo
        from postings x join journals j on j.id = x.journal_id join ledger_accounts a on a.id = x.account_id
       where j.charge_id = c.id) b on true
   where c.order_id = any(${ordersOf(seed)}) and c.purchase_id is null order by c.id`;

function ofCharge(charge: ChargeSeen, deposits: readonly Deposit[], { bank }: World): string[] {
  const wrongs: string[] = [];
  const { status, review, operation, amount } = charge;
  const sum = (of: (one: Deposit) => number): number => deposits.reduce((total, one) => total + of(one), 0);
  const captured = sum((one) => one.captured);
  const refunded = sum(refundedOf);
  const disputed = sum((one) => one.chargedBack);
  const isHeld = deposits.some(({ method, state }) => method === "card" && (state === "held" || state === "pending"));
  if (charge.method !== "credit" && deposits.length > 1) wrongs.push("M8: it is made twice");
  if (charge.method === "credit" && captured > amount) wrongs.push("M3: more was captured than asked");
  if (deposits.some((one) => one.captured > one.authorized)) wrongs.push("M3: captured above its hold");
  if (refunded + disputed > captured) wrongs.push("M3: more went back than was taken");
  if (charge.unbalanced > 0) wrongs.push("M2: a journal is not balanced");
  if (charge.gaps > 0) wrongs.push("E: versions of events have gaps");
  if (review) return wrongs;
  if (operation) wrongs.push(`L1: ${operation} has not ended after days`);
  if (status === "pending" || OPEN_ENDS.includes(status)) wrongs.push(`L1: left as ${status}`);
  if (["failed", "voided", "canceled"].includes(status) && isHeld && !charge.watched) {
    wrongs.push(`L7: ${status}, held at the provider, and nobody looks`);
  }
  if (status === "failed" && deposits.some(({ id }) => bank.lapsed.has(id))) {
    wrongs.push("L7: the hold of what failed was left until it ended by itself");
  }
  if (status === "failed" && captured - refunded - disputed > 0) wrongs.push("M6: failed, and money was kept");
  if (status === "voided" && captured - refunded - disputed > 0 && !deposits.some(({ id }) => bank.won.has(id))) {
    wrongs.push("M7: voided, and money was kept");
  }
  if (status === "canceled" && captured > 0) wrongs.push("canceled, and it was paid");
  if (status === "authorized" && captured === 0) wrongs.push("shown captured, and is not");
  if (status === "pre_authorized" && !isHeld) wrongs.push("shown held, and is not");
  if (charge.captured !== captured) wrongs.push(`captured ${captured}, shown ${charge.captured}`);
  if (charge.refunded !== refunded) wrongs.push(`M4: given back ${refunded}, shown ${charge.refunded}`);
  const sold = captured - refunded;
  if (charge.receivable !== sold) wrongs.push(`P5: the books hold ${charge.receivable}, the provider ${sold}`);
  if (charge.owed !== sold - disputed) wrongs.push(`P5: ${charge.owed} is owed, not ${sold - disputed}`);
  if (charge.memo !== 0 && status !== "pre_authorized") wrongs.push(`the books still hold ${charge.memo}`);
  return [...wrongs, ...ofSurplus(deposits, bank)];
}

/** As often it is sent; what never arrived then is an operator's, among the credits. */
const SENT_AT_LEAST = 2;

/** Money that came twice or too late goes back, unless the provider would not, at once or later, or heard of it never. */
function ofSurplus(deposits: readonly Deposit[], { log }: Bank): string[] {
  const wrongs: string[] = [];
  for (const { chargeId, method, payments, refunds, hasRefused } of deposits) {
    const ofRefunds = log.filter((entry) => entry.chargeId === chargeId && entry.operation === "refund");
    const neverArrived =
      ofRefunds.filter(({ kind }) => kind === "call").length >= SENT_AT_LEAST &&
      ofRefunds.every(({ kind }) => kind !== "effect");
    for (const { id, amount, isSurplus } of payments) {
      if (!isSurplus) continue;
      const wasRefused = hasRefused || refunds.some((one) => one.paymentId === id && one.status === "failed");
      const given = refunds
        .filter((one) => one.paymentId === id && one.status !== "failed")
        .reduce((sum, one) => sum + one.amount, 0);
      if (given > amount) wrongs.push(`M3: ${given} went back of ${amount} that came too much`);
      // A boleto has nobody to give it back to: a person sees to it.
      if (given < amount && method === "pix" && !wasRefused && !neverArrived)
        wrongs.push(`${amount} came too much, ${given} went back`);
    }
  }
  return wrongs;
}

/** Of each order that is one charge there is one at most. */
function ofKeys(charges: readonly ChargeSeen[]): string[] {
  const single = charges.filter(({ session_id }) => session_id === null).map(({ order_id }) => order_id);
  return new Set(single).size < single.length ? ["I1: one key, two charges"] : [];
}

/** A link for one payment is paid once, whoever meets on it. */
function ofLinks(charges: readonly ChargeSeen[], { bank }: World): string[] {
  const links = new Map<string, number>();
  for (const { id, session_id } of charges) {
    if (!session_id) continue;
    const isPaid = bank.deposits.some(
      (one) => one.chargeId === id && (isOpen(one) ? one.method === "card" : one.captured - refundedOf(one) > 0),
    );
    if (isPaid) links.set(session_id, (links.get(session_id) ?? 0) + 1);
  }
  return [...links.values()].some((paid) => paid > 1) ? ["M13: a link for one payment is paid twice"] : [];
}

/** What belongs to nobody here stays what it is: no charge of ours takes it for its own. */
async function ofNobody(world: World, { owner }: Shop): Promise<string[]> {
  const strangers = world.bank.deposits.filter(({ slot }) => slot === NOBODY);
  world.count("ownerlessDeposits", strangers.length);
  if (strangers.length === 0) return [];
  const ids = strangers.map(({ id }) => id);
  const [row] = await owner.sql<{ n: number }[]>`
    select count(*)::int as n from charges where provider_tx_id = any(${ids})`;
  const wrongs = row && row.n > 0 ? ["a deposit of nobody became one of ours"] : [];
  if (strangers.some(({ captured, asked, refunds }) => refunds.length > 0 || (captured !== 0 && captured !== asked))) {
    wrongs.push("a deposit of nobody was changed");
  }
  return wrongs;
}
