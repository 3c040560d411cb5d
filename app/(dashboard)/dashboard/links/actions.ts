"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { linkIn } from "@/app/(dashboard)/dashboard/links/new-link";
import { PAUSES } from "@/app/(dashboard)/dashboard/links/words";
import { splitIn } from "@/app/(dashboard)/dashboard/split-form";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { answerLinkRequest } from "@/lib/buyer-mails/new-link";
import { inTransaction } from "@/lib/context";
import { DomainError, RequestError } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import { reaching } from "@/lib/operators/reach";
import { noteNewLink } from "@/lib/purchases/new-links";
import { cancelSession, closeCanceled } from "@/lib/session-payments/cancel";
import { getSession } from "@/lib/sessions/queries";
import { newSession, sessionChange } from "@/lib/sessions/schema";
import { createSession, updateSession } from "@/lib/sessions/service";
import { shareSession } from "@/lib/sessions/share";
import { UNLIMITED } from "@/lib/sessions/state";
import { liftPauses, pauseCards } from "@/lib/velocity/alarms";

const PAGE = "/dashboard/links";
const HOUR_SECONDS = 3_600;
const LONGEST_MESSAGE = 500;

/** What is wrong with a new link, and nothing else: no link is made. */
export async function checkLinkAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("links.edit", async (sender): Promise<TaskState> => {
    const read = await linkIn(sender, form);
    return "unfit" in read ? read.unfit : {};
  });
}

export async function createLinkAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("links.edit", async ({ ctx, role }): Promise<TaskState> => {
    const t = await getTranslations("links");
    const of = textOf(form, "for");
    const read = await linkIn({ ctx, role }, form);
    if ("unfit" in read) return read.unfit;
    const { given, link: asked } = read;
    const reached = await reaching(ctx, "merchant", asked.merchantId);
    const made = await inTransaction(reached, async (inside) => {
      const link = await createSession(inside, asked);
      if (isUuid(of)) await noteNewLink(inside, of, link.id);
      return link;
    }).catch(refusedLink);
    if ("id" in made) return redirect(`${PAGE}/${made.id}?done=created${isUuid(of) ? `&for=${of}` : ""}`);
    if (made.refused === "split") return { problem: t("splitProblem"), given };
    if (made.refused === "seller") return { problem: t("splitSellerProblem"), given };
    const [field, problem] = made.refused === "due" ? ["dueDate", t("dueProblem")] : ["payments", t("mostLocal")];
    return { problem: t("unfit"), problems: { [field]: problem }, given };
  });
}

const OF_SPLIT = new Set(["split_total_exceeded", "split_rules_mixed"]);

/** Of another merchant, or not active any more. */
const isOtherSeller = (thrown: unknown): boolean =>
  thrown instanceof DomainError && thrown.businessCode === "seller_not_found";

/** What the form can be told of; anything else is as it was. */
function isOfSplit(thrown: unknown): boolean {
  if (thrown instanceof DomainError) return OF_SPLIT.has(thrown.businessCode);
  return thrown instanceof RequestError && (thrown.details ?? []).some((detail) => detail.startsWith("splitRules:"));
}

/** The boleto of a link is due on the link's own day. */
const OF_DUE_DATE = /^(dueDate|paymentMethods\.\d+\.expiresDate):/;

/** What the form's own checks do not see: told beside the field that it is about. */
function refusedLink(thrown: unknown): { refused: "seller" | "split" | "due" | "payments" } {
  if (isOtherSeller(thrown)) return { refused: "seller" };
  if (isOfSplit(thrown)) return { refused: "split" };
  if (thrown instanceof RequestError && (thrown.details ?? []).some((detail) => OF_DUE_DATE.test(detail)))
    return { refused: "due" };
  if (thrown instanceof DomainError && thrown.businessCode === "pix_boleto_multiple_payments_not_allowed")
    return { refused: "payments" };
  throw thrown;
}

const sharedPart = ({ sellerId, percentage = 0 }: { sellerId: string; percentage?: number | undefined }) => ({
  sellerId,
  percentage,
});

/** Whether it is open, until when, and how often it may be paid: all of it or nothing (spec/contract.md 9.4). */
export async function editLinkAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("links.edit", async ({ ctx: own, role }): Promise<TaskState> => {
    const t = await getTranslations("links");
    const id = textOf(form, "id");
    const ctx = await reaching(own, "link", id);
    const shares = may(role, "sellers.see") ? newSession.shape.splitRules.safeParse(splitIn(form)) : undefined;
    const [dueDate, most] = [textOf(form, "dueDate"), textOf(form, "maxPayments")];
    const isCounted = form.has("maxPayments");
    const given = { dueDate, maxPayments: most, isActive: textOf(form, "isActive") };
    const before = await inTransaction(ctx, (inside) => getSession(inside, id));
    const isSameDay = before.dueAt !== null && saoPauloDay(before.dueAt) === dueDate;
    const parsed = sessionChange.safeParse({
      isActive: textOf(form, "isActive") === "yes",
      ...(isSameDay ? {} : { dueDate: dueDate || null }),
      ...(isCounted ? { maxPayments: most === "" ? UNLIMITED : Number(most) } : {}),
    });
    if (!parsed.success || shares?.success === false) {
      const wrong = new Set(parsed.error?.issues.map(({ path }) => String(path[0])));
      const problems = {
        ...(wrong.has("dueDate") ? { dueDate: t("dueProblem") } : {}),
        ...(wrong.has("maxPayments") ? { maxPayments: t("mostProblem") } : {}),
      };
      return { problem: t(shares?.success === false ? "splitProblem" : "unfit"), problems, given };
    }
    try {
      await inTransaction(ctx, async (inside) => {
        await updateSession(inside, id, parsed.data);
        if (shares?.data) await shareSession(inside, id, shares.data.map(sharedPart));
      });
    } catch (thrown) {
      if (isOfSplit(thrown)) return { problem: t("splitProblem"), given };
      if (isOtherSeller(thrown)) return { problem: t("splitSellerProblem"), given };
      const code = thrown instanceof DomainError ? thrown.businessCode : "";
      if (Object.hasOwn(EDIT_PROBLEMS, code)) {
        // Guarantee: looked up only where the key exists.
        const [field, wording] = EDIT_PROBLEMS[code as keyof typeof EDIT_PROBLEMS];
        return { problem: t("unfit"), problems: { [field]: t(wording) }, given };
      }
      if (thrown instanceof RequestError && thrown.status === 400) {
        return { problem: t("unfit"), problems: { dueDate: t("dueTodayProblem") }, given };
      }
      throw thrown;
    }
    return redirect(`${PAGE}/${id}?done=saved`);
  });
}

const EDIT_PROBLEMS = {
  max_payments_below_consumed: ["maxPayments", "mostBelow"],
  pix_boleto_multiple_payments_not_allowed: ["maxPayments", "mostLocal"],
  session_not_reactivatable: ["dueDate", "notReopened"],
  pix_boleto_one_to_one_reactivation_blocked: ["dueDate", "notReopened"],
} as const;

/** A new link for whoever asked for one, by e-mail; pressed twice it is the same link. */
export async function answerRequestAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("links.edit", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("links");
    const request = textOf(form, "request");
    const message = textOf(form, "message").slice(0, LONGEST_MESSAGE);
    const made = await answerLinkRequest(await reaching(ctx, "link_request", request), request, message || undefined);
    if (!made) return { problem: t("answerNowhere") };
    return redirect(`${PAGE}/${textOf(form, "id")}?done=answered`);
  });
}

export async function pauseCardsAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("links.edit", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("links");
    const id = textOf(form, "id");
    const reason = textOf(form, "reason").slice(0, LONGEST_MESSAGE);
    const hours = Number(textOf(form, "hours"));
    if (!reason) return { problem: t("unfit"), problems: { reason: t("reasonProblem") } };
    if (!PAUSES.some((pause) => pause.hours === hours)) return { problem: t("unfit") };
    await inTransaction(await reaching(ctx, "link", id), async (inside) => {
      await getSession(inside, id);
      await pauseCards(inside, id, hours * HOUR_SECONDS, reason);
    });
    return redirect(`${PAGE}/${id}?done=paused`);
  });
}

export async function openCardsAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("links.edit", async ({ ctx }): Promise<TaskState> => {
    const id = textOf(form, "id");
    await inTransaction(await reaching(ctx, "link", id), async (inside) => {
      await getSession(inside, id);
      await liftPauses(inside, id);
    });
    return redirect(`${PAGE}/${id}?done=reopened`);
  });
}

export async function turnLinkAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("links.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const isActive = textOf(form, "how") === "on";
    await inTransaction(await reaching(ctx, "link", id), (inside) =>
      updateSession(inside, id, { isActive, dueDate: undefined, maxPayments: undefined }),
    );
    return redirect(`${PAGE}/${id}?done=${isActive ? "on" : "off"}`);
  });
}

export async function cancelLinkAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("links.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const reached = await reaching(ctx, "link", id);
    await inTransaction(reached, (inside) => cancelSession(inside, id));
    await closeCanceled(reached, id);
    return redirect(`${PAGE}/${id}?done=canceled`);
  });
}
