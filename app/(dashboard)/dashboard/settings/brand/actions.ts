"use server";

import { redirect } from "next/navigation";
import { getFormatter, getTranslations } from "next-intl/server";
import { lacksFactor, senderOf } from "@/app/(dashboard)/operator-context";
import { runTask, textOf } from "@/app/(dashboard)/task";
import { typedAmounts } from "@/app/(dashboard)/typed-amounts";
import type { UploadedPicture } from "@/components/settings/look-form";
import type { TaskState } from "@/components/tasks/task-form";
import { RequestError } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import { keepLogo, measureLogo } from "@/lib/settings/logo";
import { logoUrl } from "@/lib/settings/logo-address";
import { looksOf } from "@/lib/settings/look";
import { copyLogo, type LookInput, lookProblems, saveLook } from "@/lib/settings/save-look";

const PAGE = "/dashboard/settings/brand";
const KILOBYTE = 1_024;
const CHOICES: Readonly<Record<string, boolean>> = { yes: true, no: false };
const PROBLEMS = {
  heavy: "logoHeavy",
  heic: "logoHeic",
  kind: "logoKind",
  large: "logoLarge",
  damaged: "logoDamaged",
} as const;

export async function saveLookAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("brand.edit", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("brand");
    const merchant = textOf(form, "merchant");
    const merchantId = isUuid(merchant) ? merchant : null;
    const amounts = await typedAmounts();
    const typedLeast = textOf(form, "leastPart");
    const leastPart = typedLeast === "" ? null : (amounts.read(typedLeast) ?? Number.NaN);
    const given = (name: string) => textOf(form, name) || null;
    const look: Omit<LookInput, "logo"> = {
      colours: {
        mainColor: given("mainColor"),
        secondaryColor: given("secondaryColor"),
        attentionColor: given("attentionColor"),
        errorColor: given("errorColor"),
        successColor: given("successColor"),
        backgroundColor: given("backgroundColor"),
      },
      siteUrl: given("siteUrl"),
      supportEmail: given("supportEmail"),
      severalCards: CHOICES[textOf(form, "severalCards")] ?? null,
      captcha: CHOICES[textOf(form, "captcha")] ?? null,
      leastPart,
    };
    const wrong = lookProblems({ ...look, logo: "keep" });
    if (wrong.length > 0) {
      const own: Readonly<Record<string, string>> = {
        companyUrl: t("siteUrlWrong"),
        supportEmail: t("supportEmailWrong"),
        leastPart: amounts.problemOf(typedLeast),
      };
      const words = (name: string) => own[name] ?? t("colourWrong");
      return { problem: t("unfit"), problems: Object.fromEntries(wrong.map((name) => [name, words(name)])) };
    }
    const picture = await pictureOf(form);
    if ("problem" in picture) return { problem: picture.problem };
    await saveLook(ctx, merchantId, { ...look, logo: picture.logo });
    return redirect(
      `${PAGE}?${new URLSearchParams({ ...(merchantId ? { merchant: merchantId } : {}), done: "saved" })}`,
    );
  });
}

/** Of the form: the picture uploaded a moment ago, one of another scope, or, without scripts, the file itself. */
async function pictureOf(form: FormData): Promise<{ logo: LookInput["logo"] } | { problem: string }> {
  const from = textOf(form, "picture");
  const [kind, value = ""] = from.split(":");
  if (kind === "file") return { logo: { file: value } };
  const sender = await senderOf();
  if (kind === "copy" && sender) {
    const { own } = await looksOf(sender.ctx, isUuid(value) ? value : null);
    return { logo: own.logo ? { file: (await copyLogo(sender.ctx, own.logo.file)).file } : "keep" };
  }
  const sent = form.get("logo");
  if (sent instanceof File && sent.size > 0) {
    const answer = await takePictureAction(form);
    return "problem" in answer ? answer : { logo: { file: answer.picture.file } };
  }
  return { logo: kind === "none" ? "none" : "keep" };
}

/** Looks at a picture and keeps it for a day; it is nobody's logo before the form is saved. */
export async function takePictureAction(form: FormData): Promise<UploadedPicture> {
  const t = await getTranslations("brand");
  const [format, sender] = await Promise.all([getFormatter(), senderOf()]);
  if (await lacksFactor()) return { problem: (await getTranslations("tasks"))("factorNeeded") };
  if (!sender || !may(sender.role, "brand.edit")) return { problem: t("session") };
  const sent = form.get("logo");
  if (!(sent instanceof File)) return { problem: t("logoKind", { size: format.number(0) }) };
  const content = Buffer.from(await sent.arrayBuffer());
  const { problem, bytes, width, height } = await measureLogo(content);
  const size = format.number(bytes / KILOBYTE, { maximumFractionDigits: 0 });
  if (problem) return { problem: t(PROBLEMS[problem], { size, width, height }) };
  try {
    const kept = await keepLogo(sender.ctx, content);
    const { file } = kept;
    return { picture: { from: `file:${file}`, file, url: logoUrl(file), width: kept.width, height: kept.height } };
  } catch (thrown) {
    if (thrown instanceof RequestError) return { problem: t("logoDamaged", { size, width, height }) };
    throw thrown;
  }
}
