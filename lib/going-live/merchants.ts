import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { providerNotifications } from "@/db/schema/charges";
import { activeFlows } from "@/db/schema/flows";
import { sellers } from "@/db/schema/sellers";
import { linkSettings } from "@/db/schema/settings";
import type { Context } from "@/lib/context";
import { type Check, COMPANY_FIELDS, checkOf, type Finding } from "@/lib/going-live/check";
import type { MerchantRow, MerchantView } from "@/lib/merchants/queries";
import { may } from "@/lib/operators/permissions";
import type { OperatorRole } from "@/lib/operators/sessions";
import type { ProviderRow } from "@/lib/payments/routing/provider";
import { isPaymentKind, isSimulatedKind } from "@/lib/providers/kinds";
import { matrixRow } from "@/lib/providers/matrix";

/** The newest payments of a merchant that tell which providers have been paid through. */
const MOST_LOOKED_AT = 500;

export interface MerchantChecks {
  id: string;
  name: string | null;
  checks: Check[];
}

/** What is asked of every merchant that takes payments. */
export async function checksOfMerchants(
  ctx: Context,
  role: OperatorRole,
  views: readonly MerchantView[],
): Promise<MerchantChecks[]> {
  const ids = views.map(({ merchant }) => merchant.id);
  if (ids.length === 0) return [];
  const known = await knownOf(ctx, ids);
  return views.map(({ merchant, providers }) => {
    const real = providers.filter(({ kind }) => isPaymentKind(kind) && !isSimulatedKind(kind));
    const active = real.filter(isActive);
    return {
      id: merchant.id,
      name: merchant.name,
      checks: [
        checkOf("company", companyOf(merchant)),
        checkOf("provider", providerOf(providers, real, active)),
        ...active.flatMap((provider) => checksOfProvider(provider, known)),
        ...(may(role, "flows.see") ? [checkOf("flow", flowOf(active, known.routed.has(merchant.id)))] : []),
        ...(may(role, "brand.edit") ? [checkOf("brand", brandOf(known.branded, merchant))] : []),
        ...(may(role, "sellers.see") ? [checkOf("payout", payoutOf(ctx, merchant, known.selling))] : []),
      ],
    };
  });
}

interface Known {
  /** Merchants with a flow that decides, and with sellers. */
  routed: ReadonlySet<string>;
  selling: ReadonlySet<string>;
  /** Merchants with a look of their own; null is the account's default. */
  branded: ReadonlySet<string | null>;
  /** Providers that told something by themselves, and those that payments were paid through. */
  heardFrom: ReadonlySet<string>;
  paidThrough: ReadonlySet<string>;
}

async function knownOf({ db, account }: Context, ids: readonly string[]): Promise<Known> {
  const routed = await db
    .selectDistinct({ id: activeFlows.merchantId })
    .from(activeFlows)
    .where(and(eq(activeFlows.clientId, account.id), inArray(activeFlows.merchantId, [...ids])));
  const selling = await db
    .selectDistinct({ id: sellers.merchantId })
    .from(sellers)
    .where(and(eq(sellers.clientId, account.id), inArray(sellers.merchantId, [...ids]), isNull(sellers.deletedAt)));
  const branded = await db
    .select({ id: linkSettings.merchantId })
    .from(linkSettings)
    .where(
      and(
        eq(linkSettings.clientId, account.id),
        sql`coalesce(${linkSettings.logoFile}, ${linkSettings.mainColor}) is not null`,
      ),
    );
  const paid = await db.execute<{ id: string }>(sql`
    select distinct c.provider_id as id from merchants m cross join lateral (
      select provider_id, captured_amount from charges where client_id = ${account.id} and merchant_id = m.id
       order by created_at desc, id desc limit ${MOST_LOOKED_AT}) c
     where m.client_id = ${account.id} and ${inArray(sql`m.id`, [...ids])}
       and c.captured_amount > 0 and c.provider_id is not null`);
  const heard = await db.execute<{ id: string }>(sql`
    select p.id from providers p where p.client_id = ${account.id} and ${inArray(sql`p.merchant_id`, [...ids])}
       and p.deleted_at is null and exists (
         select from ${providerNotifications} where ${providerNotifications.clientId} = ${account.id}
            and ${providerNotifications.providerId} = p.id)`);
  const idsOf = (rows: readonly { id: string }[]) => new Set(rows.map(({ id }) => id));
  return {
    routed: idsOf(routed),
    selling: idsOf(selling),
    branded: new Set(branded.map(({ id }) => id)),
    heardFrom: idsOf([...heard]),
    paidThrough: idsOf([...paid]),
  };
}

const isActive = ({ routable, pausedAt }: ProviderRow): boolean => routable && pausedAt === null;

function companyOf(merchant: MerchantRow): Finding {
  const lacking = COMPANY_FIELDS.filter((field) => !merchant[field]);
  if (lacking.length > 0) return { state: "todo", detail: "companyLacks", fields: lacking };
  return merchant.merchantUrl?.startsWith("https:")
    ? { state: "done", detail: "companyComplete" }
    : { state: "todo", detail: "companyPlain" };
}

function providerOf(
  all: readonly ProviderRow[],
  real: readonly ProviderRow[],
  active: readonly ProviderRow[],
): Finding {
  if (active.length > 0)
    return { state: "done", detail: "providerActive", names: active.map(({ name }) => name), count: active.length };
  if (real.some(({ routable }) => routable)) return { state: "todo", detail: "providerPaused" };
  if (real.length > 0) return { state: "todo", detail: "providerUnreachable" };
  return {
    state: "todo",
    detail: all.some(({ kind }) => isSimulatedKind(kind)) ? "providerSimulated" : "providerNone",
  };
}

function checksOfProvider(row: ProviderRow, { heardFrom, paidThrough }: Known): Check[] {
  const provider = { id: row.id, name: row.name, kind: row.kind };
  return [
    { ...checkOf("connection", connectionOf(row)), provider },
    {
      ...checkOf(
        "notification",
        heardFrom.has(row.id)
          ? { state: "done", detail: "notificationCame" }
          : { state: "todo", detail: "notificationNone" },
      ),
      provider,
    },
    { ...checkOf("adapter", adapterOf(row, paidThrough.has(row.id))), provider },
  ];
}

function connectionOf({ testedAt, testPassed, testWords }: ProviderRow): Finding {
  if (testedAt === null) return { state: "todo", detail: "connectionUntested" };
  if (testPassed === null) return { state: "none", detail: "connectionUntestable" };
  return testPassed
    ? { state: "done", detail: "connectionPassed", at: testedAt }
    : { state: "todo", detail: "connectionFailed", at: testedAt, words: testWords ?? "" };
}

/** How far an adapter was proven is never said in a better word than its own; a payment through it is told beside. */
function adapterOf({ kind }: ProviderRow, isPaid: boolean): Finding {
  const verified = isPaymentKind(kind) ? matrixRow(kind).verified : null;
  if (verified?.liveSandbox) return { state: "done", detail: "adapterLive", day: verified.liveSandbox };
  if (!verified?.offlineContract) return { state: "todo", detail: "adapterUnproven" };
  const day = verified.offlineContract;
  return isPaid ? { state: "done", detail: "adapterPaid", day } : { state: "todo", detail: "adapterOffline", day };
}

function flowOf(active: readonly ProviderRow[], isRouted: boolean): Finding {
  if (isRouted) return { state: "done", detail: "flowActive" };
  return active.length > 1
    ? { state: "todo", detail: "flowNone", count: active.length }
    : { state: "none", detail: "flowOneProvider" };
}

const brandOf = (branded: Known["branded"], { id }: MerchantRow): Finding =>
  branded.has(id) || branded.has(null) ? { state: "done", detail: "brandSet" } : { state: "todo", detail: "brandNone" };

function payoutOf(
  { account }: Context,
  { id, payoutRail, payoutAccount }: MerchantRow,
  selling: Known["selling"],
): Finding {
  if (!selling.has(id)) return { state: "none", detail: "payoutNoSellers" };
  if (payoutRail === "sandbox" && account.mode === "sandbox") return { state: "done", detail: "payoutSandbox" };
  if (payoutRail !== "file") return { state: "todo", detail: "payoutByHand" };
  return payoutAccount ? { state: "done", detail: "payoutFile" } : { state: "todo", detail: "payoutNoAccount" };
}
