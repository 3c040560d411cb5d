import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { requestReplayAction } from "@/app/(dashboard)/dashboard/flows/[id]/replay/actions";
import { ReplayCard } from "@/app/(dashboard)/dashboard/flows/[id]/replay/replay-card";
import { LIST, namesIn } from "@/app/(dashboard)/dashboard/flows/words";
import { orNotFound, requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { BackLink } from "@/components/dashboard/back-link";
import { LiveRefresh } from "@/components/dashboard/live-refresh";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskForm } from "@/components/tasks/task-form";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { inSnapshot } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { listReplays, outdatedBefore } from "@/lib/flows/family";
import { getFlow, versionOf } from "@/lib/flows/queries";
import { MOST_REPLAY_DAYS, MOST_SAMPLED } from "@/lib/flows/replays/service";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";

const MOST_SHOWN = 10;
const PERIODS = [7, 30, MOST_REPLAY_DAYS] as const;

interface ReplayPageProps {
  params: Promise<{ id: string }>;
}

const read = cache(async (id: string) => {
  const member = await requireRight(`${LIST}/${id}/replay`, "flows.see");
  const found = await orNotFound(
    inSnapshot(member.ctx, async (inside) => {
      if (!isUuid(id)) throw notFound("flow");
      const row = await getFlow(inside, id);
      return {
        flow: row,
        replays: await listReplays(inside, id, MOST_SHOWN),
        outdated: await outdatedBefore(inside, id),
        names: (await namesIn(inside, row)).providers,
      };
    }),
  );
  return { ...member, found };
});

export async function generateMetadata({ params }: ReplayPageProps): Promise<Metadata> {
  const [{ found }, t] = await Promise.all([read((await params).id), getTranslations("flows")]);
  return { title: t("replayTitle", { name: found.flow.name, version: versionOf(found.flow) }) };
}

/** A version held against the payments that were made, before it decides any. */
export default async function ReplayPage({ params }: ReplayPageProps) {
  const { id } = await params;
  const t = await getTranslations("flows");
  const { role, found } = await read(id);
  const { flow, replays, outdated, names } = found;
  const isOpen = replays.some(({ status }) => status === "queued" || status === "running");
  const [newest] = replays;
  return (
    <>
      <BackLink href={`${LIST}/${id}`} text={flow.name} />
      <PageHead
        title={t("replayTitle", { name: flow.name, version: versionOf(flow) })}
        description={t("replayText")}
        action={
          flow.status === "draft" &&
          newest?.status === "done" &&
          newest.createdAt >= outdated &&
          may(role, "flows.activate") ? (
            <LinkButton href={`${LIST}/${id}?do=activate`} tone="primary">
              {t("activate")}
            </LinkButton>
          ) : null
        }
      />
      {isOpen ? <LiveRefresh /> : null}
      <div className="grid grid-cols-1 gap-6">
        {may(role, "flows.edit") && !isOpen ? (
          <Card>
            <CardHeader title={t("replayNew")} description={t("replayNewText", { most: MOST_SAMPLED })} />
            <TaskForm
              hidden={{ id }}
              onAct={requestReplayAction}
              closeHref={`${LIST}/${id}`}
              texts={await taskTexts(t("replayStart"))}
              fields={[
                {
                  name: "days",
                  label: t("replayDays"),
                  kind: "choice",
                  options: PERIODS.map((days) => ({ value: String(days), label: t("replayLastDays", { days }) })),
                  initial: String(MOST_REPLAY_DAYS),
                },
              ]}
            />
          </Card>
        ) : null}
        {replays.map((replay) => (
          <ReplayCard
            key={replay.id}
            replay={replay}
            isOutdated={replay.createdAt < outdated}
            names={names}
            mayCancel={may(role, "flows.edit")}
          />
        ))}
      </div>
    </>
  );
}
