"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { inTransaction } from "@/lib/context";
import { invalid } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { extendAlarm, liftAlarms } from "@/lib/velocity/alarms";
import { ADJUSTABLE, LIMIT_NAMES, type StricterLimits } from "@/lib/velocity/limits";
import { setLimits, setProtection } from "@/lib/velocity/protection";

const PAGE = "/dashboard/settings/protection";
const LONGEST_REASON = 500;
const HOUR_SECONDS = 3_600;
const MOST_HOURS = 168;

export async function setProtectionAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("protection.edit", async ({ ctx, account }) => {
    if (account.mode !== "sandbox") throw invalid("protection of a live account is always on");
    const isOn = textOf(form, "how") === "on";
    await setProtection(ctx, isOn);
    return redirect(`${PAGE}?done=${isOn ? "on" : "off"}`);
  });
}

export async function setLimitsAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("protection.edit", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("protection");
    const typed = Object.fromEntries(LIMIT_NAMES.map((name) => [name, textOf(form, name)]));
    const problems: Record<string, string> = {};
    const limits: StricterLimits = {};
    for (const name of LIMIT_NAMES) {
      const text = typed[name] ?? "";
      if (text === "") continue;
      const value = Number(text);
      if (Number.isSafeInteger(value) && value >= 1 && value <= ADJUSTABLE[name]) limits[name] = value;
      else problems[name] = t("limitProblem", { most: ADJUSTABLE[name] });
    }
    if (Object.keys(problems).length > 0) return { problem: t("unfit"), problems, given: typed };
    await setLimits(ctx, limits);
    return redirect(`${PAGE}?done=limits`);
  });
}

/** Ends what acts on a merchant or a link, or lets it act for longer; never without a reason. */
export async function alarmAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("protection.edit", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("protection");
    const reason = textOf(form, "reason").slice(0, LONGEST_REASON);
    if (!reason) return { problem: t("unfit"), problems: { reason: t("reasonProblem") } };
    const [id, ref] = [textOf(form, "alarm"), textOf(form, "ref")];
    if (!isUuid(id) || !isUuid(ref)) throw invalid("alarm");
    if (textOf(form, "how") === "lift") {
      await inTransaction(ctx, (inside) => liftAlarms(inside, ref, reason));
      return redirect(`${PAGE}?done=lifted`);
    }
    const hours = Number(textOf(form, "hours"));
    if (!Number.isSafeInteger(hours) || hours < 1 || hours > MOST_HOURS) throw invalid("hours");
    const isExtended = await inTransaction(ctx, (inside) => extendAlarm(inside, id, hours * HOUR_SECONDS, reason));
    if (!isExtended) return { problem: t("alreadyOver") };
    return redirect(`${PAGE}?done=extended`);
  });
}
