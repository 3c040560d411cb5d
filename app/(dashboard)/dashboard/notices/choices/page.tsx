import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { chooseNoticesAction } from "@/app/(dashboard)/dashboard/notices/actions";
import { noticeWords } from "@/app/(dashboard)/dashboard/notices/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { BackLink } from "@/components/dashboard/back-link";
import { DoneNote } from "@/components/dashboard/done-note";
import { PageHead } from "@/components/dashboard/page-head";
import { ChoiceTable } from "@/components/notices/choice-table";
import { TaskForm } from "@/components/tasks/task-form";
import { Card } from "@/components/ui/card";
import { noticeChoicesOf } from "@/lib/notices/choices";
import { NOTICES } from "@/lib/notices/kinds";

const LIST = "/dashboard/notices";
const PAGE = `${LIST}/choices`;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("notices");
  return { title: t("choicesTitle") };
}

export default async function NoticeChoicesPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(PAGE, "payments.see");
  const [t, words, choices] = await Promise.all([
    getTranslations("notices"),
    noticeWords(),
    noticeChoicesOf(ctx, role),
  ]);
  const label = (kind: string, how: string) => t("choiceLabel", { kind, how });
  return (
    <>
      <BackLink href={LIST} text={t("title")} />
      <PageHead title={t("choicesTitle")} description={t("choicesText")} />
      {oneOf(given, "done") === "saved" ? <DoneNote text={t("doneSaved")} /> : null}
      <Card className="max-w-3xl overflow-hidden">
        <TaskForm
          hidden={{ isWhole: "yes" }}
          onAct={chooseNoticesAction}
          closeHref={LIST}
          texts={await taskTexts(t("save"))}
        >
          <ChoiceTable
            caption={t("choicesTitle")}
            texts={{ kind: t("kind"), onDashboard: t("onDashboard"), byEmail: t("byEmail"), always: t("always") }}
            rows={[...choices].map(([kind, choice]) => {
              const name = words.kind(kind);
              return {
                kind,
                name,
                ...choice,
                isAlwaysMailed: NOTICES[kind].isAlwaysMailed === true,
                dashboardLabel: label(name, t("onDashboard")),
                emailLabel: label(name, t("byEmail")),
              };
            })}
          />
        </TaskForm>
      </Card>
    </>
  );
}
