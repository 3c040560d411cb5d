import { Bell } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getTranslations } from "next-intl/server";
import { markReadAction } from "@/app/(dashboard)/dashboard/notices/actions";
import { noticeWords } from "@/app/(dashboard)/dashboard/notices/words";
import { failingSince } from "@/app/(dashboard)/failing-since";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { ListKeys } from "@/components/dashboard/list-keys";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskButton } from "@/components/tasks/task-button";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { noticesOf } from "@/lib/notices/queries";

const PAGE = "/dashboard/notices";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("notices");
  return { title: t("title") };
}

export default async function NoticesPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(PAGE, "payments.see");
  const [t, words, format, failing, lines] = await Promise.all([
    getTranslations("notices"),
    noticeWords(),
    getFormatter(),
    failingSince(),
    noticesOf(ctx, role),
  ]);
  const [newest] = lines;
  return (
    <>
      <PageHead
        title={t("title")}
        description={t("description")}
        action={
          <>
            {newest && lines.some(({ isUnread }) => isUnread) ? (
              <TaskButton
                text={t("markRead")}
                hidden={{ until: newest.createdAt.toISOString() }}
                onAct={markReadAction}
              />
            ) : null}
            <LinkButton href={`${PAGE}/choices`}>{t("choices")}</LinkButton>
          </>
        }
      />
      {oneOf(given, "done") === "read" ? <DoneNote text={t("doneRead")} /> : null}
      <Card className="overflow-hidden">
        {lines.length === 0 ? (
          <EmptyState icon={Bell} title={t("emptyTitle")}>
            {t("emptyText")}
          </EmptyState>
        ) : (
          <DataList
            caption={t("title")}
            columns={[
              { key: "what", title: t("what") },
              { key: "state", title: t("state") },
              { key: "when", title: t("when"), isNumeric: true },
            ]}
            rows={lines.map((line) => ({
              id: line.id,
              href: line.path,
              cells: [
                <span key="what" className={line.isUnread ? "font-semibold" : "font-normal"}>
                  {words.say(line.kind, line, line.count)}
                </span>,
                line.isUnread ? (
                  <Badge key="new" tone="info">
                    {t("unread")}
                  </Badge>
                ) : null,
                <Moment
                  key="when"
                  at={line.failingSince ?? line.at}
                  text={
                    line.failingSince
                      ? failing(line.failingSince)
                      : format.dateTime(line.at, { dateStyle: "medium", timeStyle: "short" })
                  }
                />,
              ],
            }))}
          />
        )}
      </Card>
      <p className="mt-3 text-ink-3 text-sm">{t("zone")}</p>
      <ListKeys searchId="" />
    </>
  );
}
