import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getFormatter, getTranslations } from "next-intl/server";
import { AuditObject } from "@/app/(dashboard)/dashboard/audit/object";
import { objectNames } from "@/app/(dashboard)/dashboard/audit/words";
import {
  addScenarioAction,
  moveClockAction,
  removeScenarioAction,
} from "@/app/(dashboard)/dashboard/developers/sandbox/actions";
import { dueObjects } from "@/app/(dashboard)/dashboard/developers/sandbox/due-objects";
import { moveTexts, progressOf } from "@/app/(dashboard)/dashboard/developers/sandbox/move";
import { outcomeWords } from "@/app/(dashboard)/dashboard/developers/sandbox/outcome-words";
import { scenarioFields } from "@/app/(dashboard)/dashboard/developers/sandbox/scenario-fields";
import { scenarioWords, targetObject } from "@/app/(dashboard)/dashboard/developers/sandbox/scenario-words";
import { jobWords } from "@/app/(dashboard)/dashboard/developers/sandbox/words";
import { shortBrand } from "@/app/(dashboard)/dashboard/payments/words";
import { type GivenParameters, oneOf } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { ActionDialog } from "@/components/charges/action-dialog";
import { DataList } from "@/components/dashboard/data-list";
import { DoneNote } from "@/components/dashboard/done-note";
import { LiveClock } from "@/components/dashboard/live-clock";
import { Moment } from "@/components/dashboard/moment";
import { PageHead } from "@/components/dashboard/page-head";
import { TaskButton } from "@/components/tasks/task-button";
import { TaskForm } from "@/components/tasks/task-form";
import { Card, CardHeader } from "@/components/ui/card";
import { classes } from "@/components/ui/classes";
import { CopyButton } from "@/components/ui/copy-button";
import { LinkButton } from "@/components/ui/link-button";
import { News } from "@/components/ui/outcome";
import { BRAND_NAMES } from "@/lib/brazil/card-brand";
import { inSnapshot } from "@/lib/context";
import { dueNext } from "@/lib/insights/due-next";
import { type LastMove, lastMove } from "@/lib/providers/sandbox/api/clock-moves";
import { pageOfOutcomes } from "@/lib/providers/sandbox/api/outcomes";
import { pageOfScenarios } from "@/lib/providers/sandbox/api/scenarios";
import { SANDBOX_BRANDS } from "@/lib/reference/sandbox-pans";
import { readClock } from "@/lib/scheduler/clock";

const PAGE = "/dashboard/developers/sandbox";
const MOST_SHOWN = 100;
const JUMPS = [
  { how: "PT1H", wording: "jumpHour" },
  { how: "P1D", wording: "jumpDay" },
  { how: "P7D", wording: "jumpWeek" },
  { how: "P30D", wording: "jumpMonth" },
] as const;
const DONE_TEXTS = { scenario: "doneScenario", removed: "doneRemoved" } as const;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("sandbox");
  return { title: t("title") };
}

export default async function SandboxPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role, account } = await requireRight(PAGE, "sandbox.control");
  if (account.mode !== "sandbox") notFound();
  const [t, jobs, format, meaning] = await Promise.all([
    getTranslations("sandbox"),
    jobWords(),
    getFormatter(),
    outcomeWords(),
  ]);
  const clock = readClock(ctx.account);
  const [due, move] = await Promise.all([dueNext(ctx), lastMove(ctx)]);
  const objects = await dueObjects(ctx, due);
  const moved = move && move.state !== "moving" ? await moveTexts(ctx, move) : undefined;
  const progress = move?.state === "moving" ? await progressOf(ctx, move) : null;
  const scenarios = await inSnapshot(ctx, (inside) =>
    pageOfScenarios(inside, { page: 1, limit: MOST_SHOWN, order: "desc" }),
  );
  const [scenarioMeaning, targetNames] = await Promise.all([
    scenarioWords(),
    objectNames(
      ctx,
      scenarios.items.map(({ target }) => targetObject(target)),
    ),
  ]);
  const brand = SANDBOX_BRANDS.find((each) => each === oneOf(given, "brand")) ?? "visa";
  const outcomes = pageOfOutcomes({ page: 1, limit: MOST_SHOWN }).items;
  const date = (at: Date) => format.dateTime(at, { dateStyle: "medium", timeStyle: "medium" });
  const done = oneOf(given, "done");
  return (
    <>
      <PageHead title={t("title")} description={t("description")} aside={t("zone")} />
      {done && Object.hasOwn(DONE_TEXTS, done) ? (
        // Guarantee: looked up only where the key exists.
        <DoneNote text={t(DONE_TEXTS[done as keyof typeof DONE_TEXTS])} />
      ) : null}
      <div className="grid grid-cols-1 gap-6">
        <Card className="overflow-hidden">
          <CardHeader title={t("clockTitle")} description={clock.frozen ? t("clockFrozen") : t("clockRuns")} />
          <div className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
            <LiveClock reading={{ text: date(clock.now), progress }} url={`${PAGE}/now`} label={t("movingLabel")} />
            <div className={classes("flex flex-wrap gap-2", progress && "hidden")}>
              {due.length > 0 ? (
                <TaskButton text={t("jumpNext")} hidden={{ how: "next" }} onAct={moveClockAction} tone="primary" />
              ) : null}
              {JUMPS.map(({ how, wording }) => (
                <TaskButton key={how} text={t(wording)} hidden={{ how }} onAct={moveClockAction} />
              ))}
              <TaskButton
                text={clock.frozen ? t("letRun") : t("freeze")}
                hidden={{ how: clock.frozen ? "run" : "freeze" }}
                onAct={moveClockAction}
                tone="quiet"
              />
            </div>
          </div>
          <News text={move?.state === "cut_off" ? undefined : moved?.title}>
            {move && moved ? <MoveNote move={move} {...moved} /> : null}
          </News>
          <h3 className="border-line border-t px-5 pt-4 pb-2 font-medium text-ink-2 text-sm">{t("dueTitle")}</h3>
          {due.length === 0 ? (
            <p className="px-5 pb-5 text-ink-3 text-sm">{t("dueNone")}</p>
          ) : (
            <ol className="divide-y divide-line px-5 pb-2">
              {due.map((job, nth) => (
                <li key={`${job.kind} ${job.refId}`} className="flex flex-wrap justify-between gap-x-4 py-2 text-sm">
                  <span className="flex flex-wrap gap-x-3 text-ink">
                    {jobs(job.kind)}
                    {objects[nth] ? <AuditObject {...objects[nth]} role={role} /> : null}
                  </span>
                  <Moment at={job.dueAt} text={date(job.dueAt)} className="text-ink-2" />
                </li>
              ))}
            </ol>
          )}
        </Card>
        <Card className="overflow-hidden">
          <CardHeader
            title={t("scenariosTitle")}
            description={t("scenariosText")}
            actions={
              <LinkButton href={`${PAGE}?do=scenario`} scroll={false} size="sm" tone="primary">
                {t("scenarioNew")}
              </LinkButton>
            }
          />
          {scenarios.items.length === 0 ? (
            <p className="px-5 py-6 text-ink-3 text-sm">{t("scenariosNone")}</p>
          ) : (
            <DataList
              caption={t("scenariosTitle")}
              actions={t("actions")}
              columns={[
                { key: "scenario", title: t("scenario") },
                { key: "target", title: t("target") },
                { key: "left", title: t("usesLeft"), isNumeric: true },
              ]}
              rows={scenarios.items.map((scenario) => ({
                id: scenario.id,
                cells: [
                  <span key="scenario" className="block md:whitespace-normal">
                    {scenarioMeaning(scenario.scenario)}
                    <code className="block break-all font-normal font-mono text-ink-3 text-xs">
                      {scenario.scenario}
                    </code>
                  </span>,
                  <AuditObject
                    key="target"
                    row={targetObject(scenario.target)}
                    name={targetNames.get(targetObject(scenario.target).objectId)}
                    role={role}
                  />,
                  scenario.remaining === null ? t("always") : format.number(scenario.remaining),
                ],
                actions: (
                  <span className="flex items-center justify-end gap-1">
                    <CopyButton text={scenario.scenario} label={t("copyHeader")} />
                    <TaskButton
                      text={t("remove")}
                      hidden={{ id: scenario.id }}
                      onAct={removeScenarioAction}
                      size="sm"
                      tone="quiet"
                    />
                  </span>
                ),
              }))}
            />
          )}
        </Card>
        <Card className="overflow-hidden">
          <CardHeader
            title={t("cardsTitle")}
            description={t("cardsText")}
            actions={
              <nav aria-label={t("brand")} className="flex flex-wrap gap-1">
                {SANDBOX_BRANDS.map((each) => (
                  <LinkButton
                    key={each}
                    href={`${PAGE}?brand=${each}`}
                    scroll={false}
                    size="sm"
                    tone={each === brand ? "secondary" : "quiet"}
                    aria-current={each === brand ? "true" : undefined}
                  >
                    {shortBrand(BRAND_NAMES[each])}
                  </LinkButton>
                ))}
              </nav>
            }
          />
          <DataList
            caption={t("cardsTitle")}
            actions={t("copyNumber")}
            columns={[
              { key: "outcome", title: t("outcome") },
              { key: "number", title: t("number") },
              { key: "code", title: t("code"), isNumeric: true },
            ]}
            rows={outcomes.map(({ code, outcome, numbers }) => ({
              id: code,
              cells: [
                <span key="outcome" className="block md:whitespace-normal">
                  {meaning(outcome)}
                  <code className="block break-all font-normal font-mono text-ink-3 text-xs">{outcome}</code>
                </span>,
                <span key="number" className="font-mono text-sm tabular-nums">
                  {numbers[brand]}
                </span>,
                code,
              ],
              actions: <CopyButton text={numbers[brand]} label={t("copyThis", { outcome: meaning(outcome) })} />,
            }))}
          />
        </Card>
      </div>
      {oneOf(given, "do") === "scenario" ? (
        <ActionDialog title={t("scenarioTitle")} text={t("scenarioText")} closeHref={PAGE}>
          <TaskForm
            onAct={addScenarioAction}
            closeHref={PAGE}
            texts={await taskTexts(t("scenarioButton"))}
            fields={await scenarioFields(ctx, role)}
          />
        </ActionDialog>
      ) : null}
    </>
  );
}

/** What the last move came to: told until the next one, and no longer than a day. */
interface MoveNoteProps {
  move: LastMove;
  title: string;
  results: readonly string[];
}

async function MoveNote({ move, title, results }: MoveNoteProps) {
  const t = await getTranslations("sandbox");
  if (move.state === "cut_off") {
    return <p className="mx-5 mb-4 rounded-md bg-warning-soft px-3 py-2 text-sm text-warning">{t("moveCutOff")}</p>;
  }
  return (
    <div className="mx-5 mb-4 rounded-md bg-success-soft px-3 py-2 text-sm text-success">
      <p role="status" data-outcome className="font-medium">
        {title}
      </p>
      <ul className="mt-1 grid gap-0.5">
        {results.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
