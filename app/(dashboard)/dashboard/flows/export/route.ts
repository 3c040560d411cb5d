import { getTranslations } from "next-intl/server";
import { type CsvColumn, csvTable } from "@/app/(dashboard)/list-csv";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { audit } from "@/lib/audit";
import { type Context, inSnapshot, inTransaction, now } from "@/lib/context";
import { RequestError } from "@/lib/errors";
import { merchantNames, outdatedBefore } from "@/lib/flows/family";
import { getFlow } from "@/lib/flows/queries";
import { type ReplayDifference, replayDifferencesOf } from "@/lib/flows/replays/differences";
import { getReplay, type ReplayRow } from "@/lib/flows/replays/service";
import { isUuid } from "@/lib/ids";
import { providersOfMerchants } from "@/lib/merchants/queries";
import { may } from "@/lib/operators/permissions";

/** Every payment that a replay found decided otherwise, newest first; none of a version that changed since. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "flows.see")) return new Response(null, { status: 404 });
  const { searchParams } = new URL(request.url);
  const [id, replayId] = [searchParams.get("flow") ?? "", searchParams.get("replay") ?? ""];
  if (!isUuid(id) || !isUuid(replayId)) return new Response(null, { status: 400 });
  const found = await readReplay(ctx, id, replayId);
  if (!found) return new Response(null, { status: 404 });
  // The policies of somebody limited to some merchants let nothing be written.
  const { merchants: _merchants, ...unlimited } = ctx;
  await inTransaction(unlimited, (inside) =>
    audit(inside, { action: "flow.replay_export", object: "flow", objectId: id, after: { replay: replayId } }),
  );
  const pages = replayDifferencesOf(ctx, found.replay);
  return csvTable<ReplayDifference, "more">({
    name: "replay",
    now: now(ctx),
    columns: await columnsOf(found),
    async page() {
      const { value, done } = await pages.next();
      return done ? { items: [] } : { items: value, next: "more" };
    },
  });
}

interface Found {
  replay: ReplayRow;
  providers: ReadonlyMap<string, string>;
  merchants: ReadonlyMap<string, string>;
}

async function readReplay(ctx: Context, id: string, replayId: string): Promise<Found | undefined> {
  try {
    return await inSnapshot(ctx, async (inside) => {
      const [replay, flow] = [await getReplay(inside, id, replayId), await getFlow(inside, id)];
      if (replay.status !== "done" || replay.createdAt < (await outdatedBefore(inside, id))) return undefined;
      const known = await providersOfMerchants(inside, flow.merchantIds);
      return {
        replay,
        providers: new Map(known.map((provider) => [provider.id, provider.name])),
        merchants: await merchantNames(inside, flow.merchantIds),
      };
    });
  } catch (thrown) {
    if (thrown instanceof RequestError) return undefined;
    throw thrown;
  }
}

const EVIDENCE = {
  observed: "evidenceObserved",
  estimated: "evidenceEstimated",
  unknown: "evidenceUnknown",
} as const satisfies Record<ReplayDifference["evidence"], string>;

async function columnsOf({ providers, merchants }: Found): Promise<CsvColumn<ReplayDifference>[]> {
  const t = await getTranslations("exports");
  const nameOf = (id: string): string => providers.get(id) ?? id;
  const inOrder = (ids: readonly string[]): string => ids.map(nameOf).join(" > ");
  const currency = ({ decided }: ReplayDifference): string => decided.facts.currency;
  return [
    { label: t("paymentId"), cell: ({ decided }) => decided.chargeId },
    { label: t("createdAt"), moment: ({ decided }) => decided.at },
    { label: t("merchant"), cell: ({ decided }) => merchants.get(decided.merchantId) ?? decided.merchantId },
    { label: t("amount"), cents: ({ decided }) => decided.facts.amount, currency },
    { label: t("currency"), cell: currency },
    { label: t("brand"), cell: ({ decided }) => decided.facts.brand ?? "" },
    { label: t("installments"), cell: ({ decided }) => String(decided.facts.installments), isNumber: true },
    { label: t("approved"), cell: ({ decided }) => t(decided.isApproved ? "yes" : "no") },
    { label: t("decided"), cell: ({ decided }) => inOrder(decided.providers) },
    { label: t("wouldDecide"), cell: (one) => inOrder(one.providers) },
    { label: t("wayThrough"), cell: ({ path }) => inOrder(path) },
    { label: t("evidence"), cell: ({ evidence }) => t(EVIDENCE[evidence]) },
    { label: t("approvalLow"), share: ({ likely }) => likely?.low ?? null },
    { label: t("approvalHigh"), share: ({ likely }) => likely?.high ?? null },
  ];
}
