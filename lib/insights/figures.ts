import { sql } from "drizzle-orm";
import { type Context, inSnapshot, now } from "@/lib/context";
import { countedIn } from "@/lib/insights/rolled-up";
import { sumOf } from "@/lib/money";
import { demand } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** One stretch of time, and the one of the same length before it. */
export interface Span {
  from: Date;
  until: Date;
  before: Date;
  /** Where the earlier stretch ends: half a day is compared with half a day. */
  beforeUntil: Date;
  merchantId: string | undefined;
  /** How the charts are cut: hours of a day or two, days of more. */
  step: "hour" | "day";
}

export interface PaymentTotals {
  payments: number;
  approved: number;
  declined: number;
  /** Cents of what was approved, taken and given back. */
  volume: number;
  captured: number;
  refunded: number;
  /** Taken back by the banks of their holders, and not won back. */
  chargedBack: number;
}

export interface Bucket {
  /** The beginning of the hour or of the day of São Paulo. */
  at: Date;
  volume: number;
  approved: number;
  declined: number;
}

export interface DeclineCount {
  code: string;
  count: number;
  before: number;
}

/** What went through one method, one brand of card or one provider. */
export interface ShareOfPayments {
  name: string;
  volume: number;
  approved: number;
  declined: number;
}

export interface PaymentFigures {
  now: PaymentTotals;
  before: PaymentTotals;
  buckets: Bucket[];
  /** Of the earlier stretch, in the same order. */
  bucketsBefore: Bucket[];
  /** The most frequent. */
  declines: DeclineCount[];
  /** Payments that were declined for any other reason. */
  otherDeclines: number;
  methods: ShareOfPayments[];
  providers: ShareOfPayments[];
  brands: ShareOfPayments[];
}

/** Money that an issuer or a bank said yes to, whatever became of it later. */
const APPROVED = sql.raw(
  `status in ('authorized', 'pre_authorized', 'voided', 'charged_back', 'refund_pending', 'capture_pending')`,
);
const MOST_DECLINES = 6;

/** The currency the home page speaks of; other currencies are counted, their amounts are not added to it. */
const REAL = "BRL";

interface FigureRow extends Record<string, unknown> {
  kind: "total" | "bucket" | "decline" | "method" | "provider" | "brand";
  isNow: boolean;
  at: string | null;
  name: string | null;
  payments: number;
  approved: number;
  declined: number;
  volume: string;
  captured: string;
  refunded: string;
}

interface DisputedRow extends Record<string, unknown> {
  isNow: boolean;
  amount: string;
}

export async function paymentFiguresOf(ctx: Context, role: OperatorRole, span: Span): Promise<PaymentFigures> {
  demand(role, "payments.see");
  // Spans begin at a midnight of São Paulo: counted from there, steps need no calendar.
  const at = sql`date_bin(${`1 ${span.step}`}::interval, hour, ${span.from.toISOString()}::timestamptz)`;
  const isNow = sql`hour >= ${span.from.toISOString()}::timestamptz`;
  const inReal = sql.raw(`currency = '${REAL}'`);
  const [rows, disputed] = await inSnapshot(ctx, async ({ db }) => [
    await db.execute<FigureRow>(sql`
      with ${countedIn(ctx, {
        stretches: [
          { from: span.before, until: span.beforeUntil },
          { from: span.from, until: span.until },
        ],
        merchantId: span.merchantId,
        isByHour: span.step === "hour",
        isByPayment: true,
      })},
      summed as (
        select ${isNow} as is_now, ${at} as at, method, decline_code, provider, brand,
               sum(charges) as payments,
               coalesce(sum(charges) filter (where ${APPROVED}), 0) as approved,
               coalesce(sum(charges) filter (where status = 'failed'), 0) as declined,
               coalesce(sum(of_brand) filter (where ${APPROVED}), 0) as brand_approved,
               coalesce(sum(of_brand) filter (where status = 'failed'), 0) as brand_declined,
               coalesce(sum(of_provider) filter (where ${APPROVED}), 0) as provider_approved,
               coalesce(sum(of_provider) filter (where status = 'failed'), 0) as provider_declined,
               coalesce(sum(amount) filter (where ${APPROVED} and ${inReal}), 0) as volume,
               coalesce(sum(captured) filter (where ${inReal}), 0) as captured,
               coalesce(sum(refunded) filter (where ${inReal}), 0) as refunded
          from counted
         group by 1, 2, 3, 4, 5, 6)
      select case when grouping(at) = 0 then 'bucket' when grouping(decline_code) = 0 then 'decline'
                  when grouping(method) = 0 then 'method'
                  when grouping(provider) = 0 then 'provider'
                  when grouping(brand) = 0 then 'brand' else 'total' end as kind,
             is_now as "isNow", at, coalesce(method, decline_code, provider, brand) as name,
             sum(payments)::int as payments,
             case when grouping(brand) = 0 then sum(brand_approved) when grouping(provider) = 0 then sum(provider_approved)
                  else sum(approved) end::int as approved,
             case when grouping(brand) = 0 then sum(brand_declined) when grouping(provider) = 0 then sum(provider_declined)
                  else sum(declined) end::int as declined,
             sum(volume)::text as volume, sum(captured)::text as captured, sum(refunded)::text as refunded
        from summed
       group by grouping sets
         ((is_now), (is_now, at), (is_now, decline_code), (is_now, method), (is_now, provider), (is_now, brand))`),
    await db.execute<DisputedRow>(sql`
      select created_at >= ${span.from.toISOString()}::timestamptz as "isNow", sum(charged_back_amount)::text as amount
        from charges
       where client_id = ${ctx.account.id} and is_dispute and currency = ${REAL}
         and (created_at >= ${span.from.toISOString()}::timestamptz and created_at < ${span.until.toISOString()}::timestamptz
              or created_at >= ${span.before.toISOString()}::timestamptz
                 and created_at < ${span.beforeUntil.toISOString()}::timestamptz)
         and ${span.merchantId ? sql`merchant_id = ${span.merchantId}::uuid` : sql.raw("true")}
       group by 1`),
  ]);
  const figures = shape(rows);
  const chargedBack = (isNow: boolean) => Number(disputed.find((row) => row.isNow === isNow)?.amount ?? 0);
  return {
    ...figures,
    now: { ...figures.now, chargedBack: chargedBack(true) },
    before: { ...figures.before, chargedBack: chargedBack(false) },
    buckets: unbroken(figures.buckets, span),
    bucketsBefore: unbroken(figures.bucketsBefore, { ...span, from: span.before, until: span.beforeUntil }),
  };
}

const STEP_SECONDS = { hour: 3_600, day: DAY_SECONDS };

/** Steps in which nothing happened are there too, as nothing. São Paulo has had no summer time since 2019. */
function unbroken(buckets: readonly Bucket[], { from, until, step }: Pick<Span, "from" | "until" | "step">): Bucket[] {
  const known = new Map(buckets.map((bucket) => [bucket.at.getTime(), bucket]));
  const all: Bucket[] = [];
  for (let at = from; at < until; at = addSeconds(at, STEP_SECONDS[step])) {
    all.push(known.get(at.getTime()) ?? { at, volume: 0, approved: 0, declined: 0 });
  }
  return all;
}

function shape(rows: readonly FigureRow[]): PaymentFigures {
  const of = (kind: FigureRow["kind"], isNow = true) => rows.filter((row) => row.kind === kind && row.isNow === isNow);
  const declinesBefore = new Map(of("decline", false).map((row) => [row.name, row.declined]));
  const declines = of("decline")
    .filter(({ declined }) => declined > 0)
    .map((row) => ({ code: row.name ?? "", count: row.declined, before: declinesBefore.get(row.name) ?? 0 }))
    .sort((a, b) => b.count - a.count);
  return {
    now: totalsOf(of("total")[0]),
    before: totalsOf(of("total", false)[0]),
    buckets: of("bucket").flatMap(bucketOf),
    bucketsBefore: of("bucket", false).flatMap(bucketOf),
    declines: declines.slice(0, MOST_DECLINES),
    otherDeclines: sumOf(declines.slice(MOST_DECLINES).map(({ count }) => count)),
    methods: sharesOf(of("method")),
    providers: sharesOf(of("provider")),
    brands: sharesOf(of("brand")),
  };
}

const bucketOf = ({ at, volume, approved, declined }: FigureRow): Bucket[] =>
  at === null ? [] : [{ at: new Date(at), volume: Number(volume), approved, declined }];

/** Payments without a card have no brand, and those that reached nobody no provider. */
const sharesOf = (rows: readonly FigureRow[]): ShareOfPayments[] =>
  rows
    .flatMap(({ name, volume, approved, declined }) =>
      name ? [{ name, volume: Number(volume), approved, declined }] : [],
    )
    .sort((one, other) => other.volume - one.volume);

const totalsOf = (row: FigureRow | undefined): PaymentTotals => ({
  payments: row?.payments ?? 0,
  approved: row?.approved ?? 0,
  declined: row?.declined ?? 0,
  volume: Number(row?.volume ?? 0),
  captured: Number(row?.captured ?? 0),
  refunded: Number(row?.refunded ?? 0),
  chargedBack: 0,
});

/** How many payments made since then were approved, whatever became of them later. */
export async function paidSince(ctx: Context, since: Date): Promise<number> {
  const stretches = [{ from: since, until: addSeconds(now(ctx), DAY_SECONDS) }];
  const [row] = await inSnapshot(ctx, ({ db }) =>
    db.execute<{ paid: number }>(sql`
      with ${countedIn(ctx, { stretches })}
      select coalesce(sum(charges), 0)::int as paid from counted where ${APPROVED}`),
  );
  return row?.paid ?? 0;
}

/** Whether the account has ever taken a payment. */
export const hasPayments = (ctx: Context): Promise<boolean> =>
  inSnapshot(ctx, async ({ db }) => {
    const rows = await db.execute(sql`select 1 from charges where client_id = ${ctx.account.id} limit 1`);
    return rows.length > 0;
  });
