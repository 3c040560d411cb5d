"use server";

import { notFound, redirect } from "next/navigation";
import { getFormatter, getLocale, getTimeZone, getTranslations } from "next-intl/server";
import { reportIn, reportTypeIn, SPAN_FIELDS } from "@/app/(dashboard)/dashboard/reports/fields";
import { scheduleOf } from "@/app/(dashboard)/dashboard/reports/schedule";
import { orNotFound } from "@/app/(dashboard)/operator-context";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { ReportFormState } from "@/components/reports/report-form";
import type { TaskState } from "@/components/tasks/task-form";
import { inTransaction, now } from "@/lib/context";
import { may } from "@/lib/operators/permissions";
import { narrowingOf } from "@/lib/reports/conditions";
import {
  changeDefinition,
  createDefinition,
  deleteDefinition,
  getDefinition,
  runDefinition,
} from "@/lib/reports/definitions";
import { previewReport } from "@/lib/reports/preview";
import { getReport } from "@/lib/reports/queries";
import { mayReport } from "@/lib/reports/rights";
import { reportAddress } from "@/lib/reports/schema";
import { cancelReport, type ReportVoice, requestReport } from "@/lib/reports/service";
import { type SpanFault, spanFault } from "@/lib/reports/span";

const PAGE = "/dashboard/reports";
const UNFIT: Readonly<Record<string, "unfitSendTo" | "unfitDay">> = {
  sendTo: "unfitSendTo",
  from: "unfitDay",
  to: "unfitDay",
};
const SPAN_TEXTS = { outside: "unfitDay", reversed: "unfitOrder", long: "unfitLong" } as const satisfies Record<
  SpanFault,
  string
>;
const GIVEN = ["from", "to", "merchant", "sendTo", "format", "delimiter", "amounts", "name", "cron", "time"];
const NAME_CHARS = 80;

/** One form: its buttons look at the first rows, or make the report and keep it where it has a name. */
export async function reportFormAction(_before: ReportFormState, form: FormData): Promise<ReportFormState> {
  return runTask("reports.create", async ({ ctx, role }): Promise<ReportFormState> => {
    const given = {
      ...Object.fromEntries(GIVEN.map((name) => [name, textOf(form, name)])),
      status: form.getAll("status").join(","),
      method: form.getAll("method").join(","),
    };
    const asked = reportIn(form);
    if ("unfit" in asked) {
      const t = await getTranslations("reports");
      const problems = asked.unfit.map((name) => [name, t(UNFIT[name] ?? "unfitChoice")]);
      return { given, problems: Object.fromEntries(problems) };
    }
    const { report } = asked;
    if (!mayReport(role, report.type)) return notFound();
    const isBarred = !may(role, "reports.personal");
    const voice = await voiceOf(form);
    const fault = spanFault(narrowingOf(report).span, { zone: voice.timezone, now: now(ctx) });
    const schedule = scheduleOf({ cron: textOf(form, "cron"), time: textOf(form, "time") });
    if (fault || schedule === "unfit") {
      const t = await getTranslations("reports");
      return {
        given,
        problems: {
          ...(fault ? { [SPAN_FIELDS[fault]]: t(SPAN_TEXTS[fault]) } : {}),
          ...(schedule === "unfit" ? { time: t("unfitTime") } : {}),
        },
      };
    }
    if (textOf(form, "intent") === "preview") {
      const [t, format, preview] = await Promise.all([
        getTranslations("reports"),
        getFormatter(),
        previewReport(ctx, report, voice, isBarred),
      ]);
      const summary = t("previewSummary", { total: preview.total, shown: format.number(preview.rows.length) });
      return { given, preview: { ...preview, summary, isEmpty: preview.total === 0 } };
    }
    const name = textOf(form, "name").slice(0, NAME_CHARS);
    if (schedule && name === "") {
      const t = await getTranslations("reports");
      return { given, problems: { name: t("nameNeeded") } };
    }
    if (name !== "") {
      const kept = await createDefinition(ctx, { name, report, schedule }, voice, isBarred);
      if (schedule) return redirect(`${PAGE}?done=scheduled&kept=${kept.id}`);
      const made = await runDefinition(ctx, kept, isBarred);
      return redirect(`${PAGE}/${made.id}`);
    }
    const { id } = await requestReport(ctx, report, voice, { isPersonalBarred: isBarred });
    return redirect(`${PAGE}/${id}`);
  });
}

async function voiceOf(form: FormData): Promise<ReportVoice> {
  const [locale, timezone] = await Promise.all([getLocale(), getTimeZone()]);
  const language = textOf(form, "language");
  return { language: language === "en" || language === "pt" ? language : locale === "en" ? "en" : "pt", timezone };
}

export async function cancelReportAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("reports.create", async ({ ctx, role }) => {
    const id = textOf(form, "id");
    const { type } = await orNotFound(inTransaction(ctx, (inside) => getReport(inside, id)));
    if (!mayReport(role, type)) return notFound();
    await cancelReport(ctx, id);
    return redirect(`${PAGE}/${id}`);
  });
}

export async function runDefinitionAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("reports.create", async ({ ctx, role }) => {
    const kept = await inTransaction(ctx, (inside) => getDefinition(inside, textOf(form, "id")));
    if (!mayReport(role, reportTypeIn(String(kept.request.type)))) return notFound();
    const { id } = await runDefinition(ctx, kept, !may(role, "reports.personal"));
    return redirect(`${PAGE}/${id}`);
  });
}

const CHANGED = ["name", "sendTo", "cron", "time"];

export async function changeDefinitionAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("reports.create", async ({ ctx, role }) => {
    const kept = await inTransaction(ctx, (inside) => getDefinition(inside, textOf(form, "id")));
    if (!mayReport(role, reportTypeIn(String(kept.request.type)))) return notFound();
    const t = await getTranslations("reports");
    const given = Object.fromEntries(CHANGED.map((name) => [name, textOf(form, name)]));
    const name = textOf(form, "name").slice(0, NAME_CHARS);
    const { success: isAddress, data: sendTo = "" } = reportAddress.safeParse(textOf(form, "sendTo"));
    const schedule = scheduleOf({ cron: textOf(form, "cron"), time: textOf(form, "time") });
    if (name === "" || !isAddress || schedule === "unfit") {
      return {
        given,
        problems: {
          ...(name === "" ? { name: t("nameNeeded") } : {}),
          ...(isAddress ? {} : { sendTo: t("unfitSendTo") }),
          ...(schedule === "unfit" ? { time: t("unfitTime") } : {}),
        },
      };
    }
    await changeDefinition(ctx, kept.id, { name, sendTo, schedule }, !may(role, "reports.personal"));
    return redirect(`${PAGE}?done=changed`);
  });
}

export async function deleteDefinitionAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("reports.create", async ({ ctx, role }) => {
    const kept = await inTransaction(ctx, (inside) => getDefinition(inside, textOf(form, "id")));
    if (!mayReport(role, reportTypeIn(String(kept.request.type)))) return notFound();
    await deleteDefinition(ctx, kept.id);
    return redirect(`${PAGE}?done=deleted`);
  });
}
