import { getFormatter, getTranslations } from "next-intl/server";
import { adoptSideAction } from "@/app/(dashboard)/dashboard/flows/actions";
import { DataList } from "@/components/dashboard/data-list";
import { TaskButton } from "@/components/tasks/task-button";
import { Card, CardHeader } from "@/components/ui/card";
import { type Context, inSnapshot, now } from "@/lib/context";
import { type FlowRow, rootOf } from "@/lib/flows/queries";
import type { ShareNode } from "@/lib/flows/rules/nodes";
import { countSides, sharesIn } from "@/lib/flows/trials/sides";
import { daysToSample, resultsOf, type SideCount, verdictOf } from "@/lib/flows/trials/verdict";

/** What each share of a flow came to; a winner is told by the interval alone, and not before the announced number. */
export async function TrialCards({ ctx, flow, mayEdit }: { ctx: Context; flow: FlowRow; mayEdit: boolean }) {
  const shares = await inSnapshot(ctx, async (inside) => {
    const found = [];
    for (const share of sharesIn(rootOf(flow))) found.push({ share, sides: await countSides(inside, flow.id, share) });
    return found;
  });
  return shares.map((one) => <TrialCard key={one.share.id} at={now(ctx)} flow={flow} mayEdit={mayEdit} {...one} />);
}

interface TrialCardProps {
  at: Date;
  flow: FlowRow;
  share: ShareNode;
  sides: readonly SideCount[];
  mayEdit: boolean;
}

async function TrialCard({ at, flow, share, sides, mayEdit }: TrialCardProps) {
  const [t, format] = await Promise.all([getTranslations("flows"), getFormatter()]);
  const percent = (rate: number) => format.number(rate, { style: "percent", maximumFractionDigits: 1 });
  const { trial } = share;
  const verdict = trial && verdictOf(sides, trial.sample);
  const sample = trial?.sample ?? 0;
  const isOn = flow.status === "active" && flow.activatedAt !== null && verdict?.state === "running";
  const days = isOn ? daysToSample(sides, sample, { since: flow.activatedAt ?? at, at }) : undefined;
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("trialTitle")} description={t("trialText")} />
      <DataList
        caption={t("trialTitle")}
        columns={[
          { key: "side", title: t("sideColumn") },
          { key: "payments", title: t("payments"), isNumeric: true },
          { key: "approval", title: t("approval"), isNumeric: true },
          { key: "interval", title: t("intervalColumn"), isNumeric: true },
        ]}
        rows={resultsOf(sides).map(({ payments, approved, interval }, side) => ({
          id: String(side),
          cells: [
            t("trialSide", { side: side + 1 }),
            format.number(payments),
            payments === 0 ? "–" : percent(approved / payments),
            interval ? t("trialInterval", { low: percent(interval.low), high: percent(interval.high) }) : "–",
          ],
        }))}
      />
      <div className="grid gap-2 border-line border-t px-5 py-4 text-ink-2 text-sm">
        {verdict ? null : <p>{t("trialNone")}</p>}
        {verdict?.state === "running" ? <p>{t("trialRunning", { missing: verdict.missing, sample })}</p> : null}
        {days === undefined ? null : <p>{t("trialDaysLeft", { days })}</p>}
        {verdict?.state === "even" ? <p>{t("trialEven", { sample })}</p> : null}
        {verdict?.state === "won" ? (
          <div className="flex flex-wrap items-center gap-3">
            <p className="min-w-0 flex-1 basis-64 text-ink">{t("trialWon", { side: verdict.side + 1, sample })}</p>
            {mayEdit && flow.status === "active" ? (
              <TaskButton
                text={t("adopt", { side: verdict.side + 1 })}
                hidden={{ id: flow.id, share: share.id, side: String(verdict.side) }}
                onAct={adoptSideAction}
                tone="primary"
                size="sm"
              />
            ) : null}
          </div>
        ) : null}
        {trial?.guardrail === undefined ? null : <p>{t("trialGuard", { points: trial.guardrail })}</p>}
      </div>
    </Card>
  );
}
