import { ShieldQuestion } from "lucide-react";
import type { Metadata } from "next";
import { getFormatter, getLocale, getTranslations } from "next-intl/server";
import { PreferenceControls } from "@/app/preference-controls";
import { PartCard } from "@/components/proof/part-card";
import { Summary } from "@/components/proof/summary";
import { SiteHeader } from "@/components/start/site-header";
import { EmptyState } from "@/components/ui/empty-state";
import { installationHead } from "@/lib/audit-trail/chain";
import { messages } from "@/lib/i18n/messages";
import { coreCommitsAfter } from "@/lib/proof/history";
import { type PartReport, percentileOf, readReport } from "@/lib/proof/report";

const SHORT_COMMIT = 10;
const P95 = 0.95;
const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;
const MINUTE_SECONDS = 60;

/** A part that is new to the messages is shown under its own name. */
const wordOf = (words: Readonly<Record<string, string>>, name: string): string | undefined => words[name];

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("proof");
  return { title: t("title"), description: t("intro") };
}

/** Reads the database at each visit; a build has none. */
export const dynamic = "force-dynamic";

/** Shows the report that `npm run proof` wrote, and the head that holds every audit row in place. */
export default async function ProofPage() {
  const [locale, t, start, pages, format] = await Promise.all([
    getLocale(),
    getTranslations("proof"),
    getTranslations("start"),
    getTranslations("pages"),
    getFormatter(),
  ]);
  const report = readReport(process.cwd());
  const ages = new Map<string, number | undefined>();
  for (const { name, commits } of report?.parts ?? []) ages.set(name, await coreCommitsAfter(process.cwd(), commits));
  const head = await installationHead();
  const number = (value: number): string => format.number(value);
  const duration = (seconds: number): string =>
    seconds < 2 * MINUTE_SECONDS
      ? t("seconds", { count: number(seconds) })
      : t("minutes", { count: number(Math.round(seconds / MINUTE_SECONDS)) });
  const moment = (at: string): string => format.dateTime(new Date(at), { dateStyle: "medium", timeStyle: "short" });
  const words = messages[locale].proof;
  const ageOf = (count: number | undefined): string =>
    count === undefined ? t("ageUnknown") : t("ageCommits", { count });
  const facts = (part: PartReport) => [
    {
      name: wordOf(words.units, part.unit) ?? part.unit,
      value: t("ranOf", { ran: number(part.ran), asked: number(part.asked) }),
    },
    ...(part.seeds && part.asked > 1
      ? [
          {
            name: t("seeds"),
            value: t("seedsFromTo", { first: number(part.seeds.first), last: number(part.seeds.last) }),
          },
        ]
      : []),
    ...Object.entries(part.figures).map(([name, value]) => ({
      name: wordOf(words.figures, name) ?? name,
      value: number(value),
    })),
    ...Object.entries(part.times).map(([name, seconds]) => ({
      name: wordOf(words.times, name) ?? name,
      value: t("timesOf", {
        count: number(seconds.length),
        p95: number(tenths(percentileOf(seconds, P95))),
        longest: number(tenths(percentileOf(seconds, 1))),
      }),
    })),
    { name: t("time"), value: duration(part.seconds) },
    { name: t("ended"), value: moment(part.endedAt) },
    { name: t("commit"), value: part.commits.map((commit) => commit.slice(0, SHORT_COMMIT)).join(", ") },
    { name: t("age"), value: ageOf(ages.get(part.name)) },
  ];
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {pages("skipToContent")}
      </a>
      <SiteHeader
        navigationLabel={start("menu")}
        links={[{ href: "/docs", text: start("docs") }]}
        action={{ href: "/dashboard", text: start("dashboard") }}
        preferences={<PreferenceControls />}
      />
      <main id="content" className="mx-auto max-w-6xl px-5 py-12 sm:px-8 sm:py-16">
        <h1 className="font-semibold text-3xl text-ink sm:text-4xl">{t("title")}</h1>
        <p className="mt-4 max-w-2xl text-ink-2 text-lg">{t("intro")}</p>
        {head ? (
          <p className="mt-4 max-w-3xl break-words text-ink-2 text-sm">
            {t("auditHead")} <code className="break-all font-mono text-ink text-xs">{head}</code>
          </p>
        ) : null}
        {report ? (
          <>
            <Summary
              items={[
                {
                  name: t("violations"),
                  value: number(report.parts.reduce((sum, { violations }) => sum + violations.length, 0)),
                },
                { name: t("commit"), value: report.commit.slice(0, SHORT_COMMIT) },
                { name: t("written"), value: moment(report.writtenAt) },
                {
                  name: t("machine"),
                  value: t("machineText", { cores: number(report.machine.cores), node: report.machine.node }),
                },
              ]}
            />
            <div className="mt-8 grid gap-6">
              {report.parts.map((part) => (
                <PartCard
                  key={part.name}
                  title={wordOf(words.parts, part.name) ?? part.name}
                  text={wordOf(words.shows, part.name)}
                  facts={facts(part)}
                  violations={part.violations}
                  badge={
                    part.violations.length > 0
                      ? { tone: "danger", text: t("violationCount", { count: part.violations.length }) }
                      : part.ran < part.asked
                        ? { tone: "warning", text: t("partly") }
                        : { tone: "success", text: t("whole") }
                  }
                  notes={part.dirty ? [t("dirty")] : []}
                  met={[
                    ...Object.entries(part.met).map(([name, values]) => ({
                      name: t("metCount", { name: wordOf(words.met, name) ?? name, count: number(values.length) }),
                      values,
                    })),
                    ...(part.mended.length > 0
                      ? [
                          {
                            name: t("mendedCount", { count: part.mended.length }),
                            values: part.mended.map(({ violation, commit }) =>
                              t("mendedOne", { violation, commit: commit.slice(0, SHORT_COMMIT) }),
                            ),
                          },
                        ]
                      : []),
                  ]}
                  command={{ title: t("again"), code: part.command, copyLabel: t("copy") }}
                />
              ))}
            </div>
          </>
        ) : (
          <EmptyState icon={ShieldQuestion} title={t("none")}>
            {t("noneText")}
          </EmptyState>
        )}
      </main>
    </>
  );
}
