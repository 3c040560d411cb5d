import Link from "next/link";
import { getLocale, getTranslations } from "next-intl/server";
import { type Description, parametersOf } from "@/app/(dashboard)/dashboard/flows/[id]/described";
import { removeTestAction, saveTestAction } from "@/app/(dashboard)/dashboard/flows/actions";
import { LIST, providerNames } from "@/app/(dashboard)/dashboard/flows/words";
import { taskTexts } from "@/app/(dashboard)/task-texts";
import { DataList } from "@/components/dashboard/data-list";
import { TaskButton } from "@/components/tasks/task-button";
import { TaskForm } from "@/components/tasks/task-form";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { type Context, inSnapshot } from "@/lib/context";
import type { FlowRow } from "@/lib/flows/queries";
import { type Expected, runTests, type TestResult } from "@/lib/flows/saved-tests";
import type { SimulatedFacts } from "@/lib/flows/schema-simulation";

interface SavedTestsCardProps {
  ctx: Context;
  flow: FlowRow;
  mayEdit: boolean;
}

/** Described payments that every version must send where this says, and whether this one does. */
export async function SavedTestsCard({ ctx, flow, mayEdit }: SavedTestsCardProps) {
  const [t, locale] = [await getTranslations("flows"), await getLocale()];
  const { results, names } = await inSnapshot(ctx, async (inside) => {
    const ran = await runTests(inside, flow);
    const ids = ran.flatMap(({ expected, found }) => [...idsIn(expected), ...(found ? idsIn(found) : [])]);
    return { results: ran, names: await providerNames(inside, { merchantIds: flow.merchantIds, ids }) };
  });
  const told = ({ providers, analyst, challenge }: Expected): string => {
    const nameOf = (id: string) => names[id] ?? t("otherProvider");
    const order = providers.map(nameOf).join(" → ") || t("savedTestNobody");
    const analyzed = analyst ? t("savedTestAnalyst", { providers: order, analyst: nameOf(analyst) }) : order;
    return challenge ? t("savedTestChallenge", { providers: analyzed }) : analyzed;
  };
  return (
    <Card id="tests" className="overflow-hidden">
      <CardHeader title={t("savedTests")} description={t("savedTestsText")} />
      {results.length === 0 ? <p className="px-5 py-6 text-ink-2 text-sm">{t("savedTestsNone")}</p> : null}
      {results.length > 0 ? (
        <DataList
          caption={t("savedTests")}
          columns={[
            { key: "name", title: t("name") },
            { key: "expected", title: t("savedTestExpected") },
            { key: "result", title: t("savedTestResult") },
          ]}
          actions={t("savedTestRemove")}
          rows={results.map(({ test, expected, found, isMet }) => ({
            id: test.id,
            cells: [
              test.name,
              <span key="expected" className="whitespace-normal">
                {told(expected)}
              </span>,
              found === undefined ? (
                <span key="result" className="whitespace-normal">
                  {t("savedTestSkipped")}
                </span>
              ) : isMet ? (
                <Badge key="result" tone="success">
                  {t("savedTestPasses")}
                </Badge>
              ) : (
                <span key="result" className="whitespace-normal text-danger">
                  {t("savedTestFails", { found: told(found) })}
                </span>
              ),
            ],
            actions: (
              <span className="flex items-center justify-end gap-3">
                <Link
                  // Guarantee: as they were read when the test was saved.
                  href={`${LIST}/${flow.id}?${parametersOf(test.facts as SimulatedFacts, test.unit, locale)}#described`}
                  className="whitespace-nowrap py-1 text-accent-ink text-sm underline underline-offset-2"
                >
                  {t("savedTestTry")}
                </Link>
                {mayEdit ? (
                  <TaskButton
                    text={t("savedTestRemove")}
                    hidden={{ id: flow.id, test: test.id }}
                    onAct={removeTestAction}
                    size="sm"
                  />
                ) : null}
              </span>
            ),
          }))}
        />
      ) : null}
    </Card>
  );
}

const idsIn = ({ providers, analyst }: Expected): string[] => [...providers, ...(analyst ? [analyst] : [])];

interface SaveTestProps {
  flowId: string;
  typed: Description["typed"];
  unit: string;
}

/** Below what a version makes of a described payment: from now on every version must. */
export async function SaveTest({ flowId, typed, unit }: SaveTestProps) {
  const t = await getTranslations("flows");
  return (
    <div className="border-line border-t">
      <TaskForm
        key={unit}
        hidden={{ id: flowId, described: "1", ...typed, unit }}
        onAct={saveTestAction}
        closeHref={`${LIST}/${flowId}#described`}
        texts={await taskTexts(t("savedTestSave"))}
        fields={[{ name: "test", label: t("savedTestName"), hint: t("savedTestNameHint"), isRequired: true }]}
      />
    </div>
  );
}

/** In the dialog of an activation: nothing is activated that fails one. */
export async function TestsNote({ results, path }: { results: readonly TestResult[]; path: string }) {
  const t = await getTranslations("flows");
  const ran = results.filter(({ found }) => found !== undefined);
  const failed = ran.filter(({ isMet }) => !isMet);
  if (ran.length === 0) return null;
  if (failed.length === 0) {
    return <p className="text-ink-2 text-sm">{t("savedTestsPassed", { count: ran.length })}</p>;
  }
  const names = failed.map(({ test }) => test.name).join(", ");
  return (
    <p className="rounded-md bg-danger-soft px-3 py-2 text-danger text-sm">
      {t("savedTestsFailed", { failed: failed.length, names })}{" "}
      <Link href={`${path}#tests`} className="font-medium underline underline-offset-2">
        {t("savedTestsOpen")}
      </Link>
    </p>
  );
}
