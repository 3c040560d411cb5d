"use server";

import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { after } from "next/server";
import { getTranslations } from "next-intl/server";
import { withAnswer } from "@/app/(dashboard)/dashboard/sellers/review-answer";
import { sellerCookie } from "@/app/(seller)/cookie";
import { findEntered } from "@/app/(seller)/entered";
import { addressOf, isSameOrigin } from "@/app/request-origin";
import type { TaskState } from "@/components/tasks/task-form";
import { DomainError, RequestError } from "@/lib/errors";
import { mayAskForSellerLink } from "@/lib/http/rate-limit";
import { isUuid } from "@/lib/ids";
import { requestLinks, SELLER_PATH } from "@/lib/seller-access/links";
import { endSellerSession, enter } from "@/lib/seller-access/sessions";

const TOO_MANY = 429;
const EMAIL_MAX_CHARS = 254;
const LIKELY_EMAIL = /^\s*[^\s@]+@[^\s@]+\s*$/;

/** Answered before anything is looked up: neither the words nor the time tell who was invited. */
export async function askForLinkAction(_before: TaskState, form: FormData): Promise<TaskState> {
  const t = await getTranslations("sellerPage");
  const given = await headers();
  if (!isSameOrigin(given)) return { problem: t("refused") };
  const email = String(form.get("email") ?? "").slice(0, EMAIL_MAX_CHARS);
  if (!LIKELY_EMAIL.test(email)) return { problems: { email: t("emailInvalid") }, given: { email } };
  const address = addressOf(given) ?? "unknown";
  after(async () => {
    if (await mayAskForSellerLink(address)) await requestLinks(email);
  });
  return redirect(`${SELLER_PATH}?sent=1`);
}

/** By a button: whatever follows the links of an e-mail by itself uses none of them up. */
export async function enterAction(_before: TaskState, form: FormData): Promise<TaskState> {
  const t = await getTranslations("sellerPage");
  const given = await headers();
  if (!isSameOrigin(given)) return { problem: t("refused") };
  const secret = await enter(String(form.get("token") ?? ""), addressOf(given));
  if (!secret) return { problem: t("closedTitle") };
  const { name, options } = sellerCookie();
  (await cookies()).set(name, secret, options);
  return redirect(SELLER_PATH);
}

export async function leaveAction(): Promise<void> {
  const { name, options } = sellerCookie();
  const jar = await cookies();
  const secret = jar.get(name)?.value;
  if (secret && isSameOrigin(await headers())) await endSellerSession(secret);
  jar.set(name, "", { ...options, maxAge: 0 });
  redirect(SELLER_PATH);
}

/** What a review asks for; of which seller is said by the session alone. */
export async function answerAction(_before: TaskState, form: FormData): Promise<TaskState> {
  const t = await getTranslations("sellerPage");
  if (!isSameOrigin(await headers())) return { problem: t("refused") };
  const entered = await findEntered();
  if (!entered) return { problem: t("over") };
  const review = String(form.get("review") ?? "");
  if (!isUuid(review)) return { problem: t("reviewClosed") };
  try {
    return await withAnswer(entered.ctx, entered.sellerId, review, form, {
      done: () => redirect(`${SELLER_PATH}?done=sent`),
      elsewhere: t("elsewhere"),
    });
  } catch (thrown) {
    if (!(thrown instanceof RequestError)) throw thrown;
    if (thrown.status === 404) return { problem: t("reviewClosed") };
    if (thrown.status === TOO_MANY) return { problem: t("tooManyFiles") };
    const isClosed = thrown instanceof DomainError && thrown.businessCode === "review_not_open";
    return { problem: isClosed ? t("reviewClosed") : t("refusedAnswer") };
  }
}
