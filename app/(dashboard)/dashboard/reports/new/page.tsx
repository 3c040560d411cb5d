import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getLocale, getTimeZone, getTranslations } from "next-intl/server";
import { findSignedIn } from "@/app/(auth)/signed-in";
import { paymentWords } from "@/app/(dashboard)/dashboard/payments/words";
import { reportFormAction } from "@/app/(dashboard)/dashboard/reports/actions";
import { isOfPayments, OF_A_MERCHANT, reportTypeIn } from "@/app/(dashboard)/dashboard/reports/fields";
import { statesOf } from "@/app/(dashboard)/dashboard/reports/state-words";
import { cityOf, reportWords } from "@/app/(dashboard)/dashboard/reports/words";
import { type GivenParameters, oneOf, severalOf, withParameters } from "@/app/(dashboard)/list-url";
import { requireRight } from "@/app/(dashboard)/operator-context";
import { BackLink } from "@/components/dashboard/back-link";
import { PageHead } from "@/components/dashboard/page-head";
import { ReportForm } from "@/components/reports/report-form";
import { TypeChoice } from "@/components/reports/type-choice";
import type { TaskField } from "@/components/tasks/task-input";
import { REPORT_CRONS } from "@/db/schema/reports";
import { readStates } from "@/lib/charges/list-states";
import { merchantsToChoose } from "@/lib/charges/to-choose";
import { may } from "@/lib/operators/permissions";
import { PAYMENT_TYPES } from "@/lib/payments/methods";
import { mayReport, typesFor } from "@/lib/reports/rights";
import { columnName } from "@/lib/reports/types/names";
import { offeredColumns, sourceOf } from "@/lib/reports/types/registry";

const PATH = "/dashboard/reports/new";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("reports");
  return { title: t("newTitle") };
}

export default async function NewReportPage({ searchParams }: { searchParams: Promise<GivenParameters> }) {
  const given = await searchParams;
  const { ctx, role } = await requireRight(withParameters(PATH, given, {}), "reports.create");
  const type = reportTypeIn(oneOf(given, "type"));
  if (!mayReport(role, type)) notFound();
  const [t, words, payments, states, merchants, locale, zone, signedIn] = await Promise.all([
    getTranslations("reports"),
    reportWords(),
    paymentWords(),
    statesOf(type),
    merchantsToChoose(ctx, role),
    getLocale(),
    getTimeZone(),
    findSignedIn(),
  ]);
  const language = locale === "en" ? "en" : "pt";
  const isBarred = !may(role, "reports.personal");
  const columns = offeredColumns(sourceOf(type)).filter(({ isPersonal }) => !(isPersonal && isBarred));
  const asked = (name: string) => oneOf(given, name) ?? "";
  const filters: TaskField[] = [
    {
      name: "from",
      label: t("from"),
      kind: "day",
      initial: asked("from"),
      hint: t("periodHint", { zone: cityOf(zone) }),
    },
    { name: "to", label: t("to"), kind: "day", initial: asked("to") },
    ...(OF_A_MERCHANT.has(type)
      ? [
          {
            name: "merchant",
            label: t("merchant"),
            kind: "choice" as const,
            initial: asked("merchant"),
            options: [
              { value: "", label: t("merchantAll") },
              ...merchants.map(({ id, name }) => ({ value: id, label: name ?? id })),
            ],
          },
        ]
      : []),
    ...(states.length > 0
      ? [
          {
            name: "status",
            label: t("states"),
            kind: "choices" as const,
            initial: (isOfPayments(type) ? readStates(severalOf(given, "status")) : severalOf(given, "status")).join(
              ",",
            ),
            options: states,
          },
        ]
      : []),
    ...(isOfPayments(type)
      ? [
          {
            name: "method",
            label: t("methods"),
            kind: "choices" as const,
            initial: severalOf(given, "method").join(","),
            options: PAYMENT_TYPES.map((method) => ({ value: method, label: payments.method(method) })),
          },
        ]
      : []),
  ];
  const types = typesFor(role).map((one) => ({
    href: `${PATH}?type=${one}`,
    text: words.type(one),
    isHere: one === type,
  }));
  return (
    <>
      <BackLink href="/dashboard/reports" text={t("title")} />
      <PageHead title={t("newTitle")} aside={t("zone", { zone: cityOf(zone) })} description={t("newText")} />
      <div className="mb-5">
        <TypeChoice label={t("columnType")} types={types} />
      </div>
      <ReportForm
        key={type}
        hidden={{ type }}
        columns={columns.map((column) => ({ id: column.id, label: columnName(column, language) }))}
        chosen={columns.map(({ id }) => id)}
        onAct={reportFormAction}
        groups={[
          { title: t("filters"), fields: filters },
          {
            title: t("file"),
            fields: [
              {
                name: "sendTo",
                label: t("sendTo"),
                kind: "email",
                initial: signedIn?.operator.email,
                hint: t("sendToHint"),
              },
              {
                name: "language",
                label: t("language"),
                kind: "choice",
                initial: language,
                options: [
                  { value: "pt", label: t("languagePt") },
                  { value: "en", label: t("languageEn") },
                ],
              },
              {
                name: "format",
                label: t("format"),
                kind: "choice",
                initial: "csv",
                options: [
                  { value: "csv", label: t("csv") },
                  { value: "xlsx", label: t("xlsx") },
                ],
              },
              {
                name: "delimiter",
                label: t("delimiter"),
                kind: "choice",
                initial: language === "pt" ? "semicolon" : "comma",
                hint: t("delimiterHint"),
                options: [
                  { value: "semicolon", label: t("semicolon") },
                  { value: "comma", label: t("comma") },
                ],
              },
              {
                name: "amounts",
                label: t("amounts"),
                kind: "choice",
                initial: "decimal",
                options: [
                  { value: "decimal", label: t("decimal") },
                  { value: "cents", label: t("cents") },
                ],
              },
            ],
          },
          {
            title: t("again"),
            fields: [
              { name: "name", label: t("name"), hint: t("nameHint") },
              {
                name: "cron",
                label: t("cron"),
                kind: "choice",
                initial: "",
                hint: t("cronHint"),
                options: [
                  { value: "", label: t("cronNever") },
                  ...REPORT_CRONS.map((cron) => ({ value: cron, label: words.cron(cron) })),
                ],
              },
              {
                name: "time",
                kind: "time",
                label: t("time"),
                initial: "06:00",
                hint: t("timeHint", { zone: cityOf(zone) }),
              },
            ],
          },
        ]}
        texts={{
          columns: t("columns"),
          picker: {
            chosen: t("columnsChosen"),
            others: t("columnsOthers"),
            add: t("columnAdd"),
            addAll: t("columnAddAll"),
            up: t("columnUp"),
            down: t("columnDown"),
            remove: t("columnRemove"),
          },
          preview: t("preview"),
          previewTitle: t("previewTitle"),
          create: t("create"),
          schedule: t("schedule"),
        }}
      />
    </>
  );
}
