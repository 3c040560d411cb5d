import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { audit } from "@/lib/audit";
import { type Context, inSnapshot, inTransaction } from "@/lib/context";
import { csvLine } from "@/lib/csv";
import { RequestError } from "@/lib/errors";
import { merchantNames, outdatedBefore } from "@/lib/flows/family";
import { getFlow } from "@/lib/flows/queries";
import { type ReplayDifference, replayDifferencesOf } from "@/lib/flows/replays/differences";
import { getReplay, type ReplayRow } from "@/lib/flows/replays/service";
import { isUuid } from "@/lib/ids";
import { providersOfMerchants } from "@/lib/merchants/queries";
import { centsToDecimal } from "@/lib/money";
import { may } from "@/lib/operators/permissions";

const COLUMNS = [
  "payment_id",
  "created_at",
  "merchant",
  "amount",
  "currency",
  "brand",
  "installments",
  "approved",
  "decided",
  "would_decide",
  "path",
  "evidence",
  "approval_low",
  "approval_high",
];

/** Every payment that a replay found decided otherwise, newest first, in UTC; none of a version that changed since. */
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
  const encoder = new TextEncoder();
  const pages = replayDifferencesOf(ctx, found.replay);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(csvLine(COLUMNS)));
    },
    async pull(controller) {
      const { value, done } = await pages.next();
      if (done) return controller.close();
      const lines = value.map((one) => csvLine(cellsOf(one, found))).join("");
      // An empty piece is no answer to a pull: the next one follows.
      controller.enqueue(encoder.encode(lines));
    },
    async cancel() {
      await pages.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": 'attachment; filename="replay-utc.csv"',
      "cache-control": "no-store",
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

function cellsOf({ decided, providers, path, evidence, likely }: ReplayDifference, found: Found): string[] {
  const { facts } = decided;
  const inOrder = (ids: readonly string[]): string => ids.map((id) => found.providers.get(id) ?? id).join(" > ");
  return [
    decided.chargeId,
    decided.at.toISOString(),
    found.merchants.get(decided.merchantId) ?? decided.merchantId,
    centsToDecimal(facts.amount),
    facts.currency,
    facts.brand ?? "",
    String(facts.installments),
    decided.isApproved ? "yes" : "no",
    inOrder(decided.providers),
    inOrder(providers),
    path.map((entry) => found.providers.get(entry) ?? entry).join(" > "),
    evidence,
    likely ? likely.low.toFixed(4) : "",
    likely ? likely.high.toFixed(4) : "",
  ];
}
