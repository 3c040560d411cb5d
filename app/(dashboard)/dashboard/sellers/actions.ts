"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { z } from "zod";
import { countAnew } from "@/app/(dashboard)/count-anew";
import { nothing, withBody } from "@/app/(dashboard)/dashboard/sellers/body";
import { checkedFiles, chosenFiles, isDocumentType } from "@/app/(dashboard)/dashboard/sellers/chosen-files";
import {
  ACCOUNT_MEMBERS,
  BUSINESS_MEMBERS,
  OWNER_MEMBERS,
  POLICY_MEMBERS,
  TERM_MEMBERS,
} from "@/app/(dashboard)/dashboard/sellers/fields";
import { withAnswer } from "@/app/(dashboard)/dashboard/sellers/review-answer";
import { unlessTaken } from "@/app/(dashboard)/dashboard/sellers/taken";
import type { TypedMember } from "@/app/(dashboard)/dashboard/sellers/typed";
import { runTask, textOf, unlessOver } from "@/app/(dashboard)/task";
import { typedAmounts } from "@/app/(dashboard)/typed-amounts";
import type { TaskState } from "@/components/tasks/task-form";
import { inTransaction } from "@/lib/context";
import { DomainError, notFound } from "@/lib/errors";
import { DEFAULT_LOCALE, isLocale } from "@/lib/i18n/locales";
import { isUuid } from "@/lib/ids";
import { reaching } from "@/lib/operators/reach";
import { adjustmentInput, endAdjustment, proposeAdjustment } from "@/lib/payouts/adjustments";
import { inviteToSeller, revokeAccess } from "@/lib/seller-access/invite";
import { endAccountChange, proposeAccount } from "@/lib/sellers/account-changes";
import { createSeller } from "@/lib/sellers/create";
import { storeUpload } from "@/lib/sellers/documents";
import { newSeller, sellerChange } from "@/lib/sellers/schema";
import { deleteSeller, sellerAt, updateSeller } from "@/lib/sellers/service";

const LIST = "/dashboard/sellers";

/** What the forms ask of a part of a seller. */
const PARTS: Readonly<Record<string, readonly TypedMember[]>> = {
  owner: OWNER_MEMBERS,
  business: BUSINESS_MEMBERS,
  terms: TERM_MEMBERS,
  transfers: POLICY_MEMBERS,
};

function newMembersIn(form: FormData): readonly TypedMember[] {
  const isCompany = textOf(form, "kind") === "company";
  return [
    ...OWNER_MEMBERS,
    ...(isCompany ? BUSINESS_MEMBERS : []),
    ...ACCOUNT_MEMBERS,
    ...POLICY_MEMBERS,
    ...TERM_MEMBERS,
    ["mcc", "text"],
  ];
}

/** What is wrong with a new seller, and nothing else: no seller is made. */
export async function checkSellerAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async () =>
    withBody(form, newMembersIn(form), newSeller, { more: { merchantId: textOf(form, "merchantId") } }, nothing),
  );
}

export async function createSellerAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async ({ ctx, role }) => {
    const members = newMembersIn(form);
    const merchantId = textOf(form, "merchantId");
    return withBody(form, members, newSeller, { more: { merchantId } }, async (body) => {
      const reached = await reaching(ctx, "merchant", merchantId);
      return unlessTaken({ ctx: reached, role, merchantId, form, members }, async () => {
        const { row } = await createSeller(reached, body);
        return redirect(`${LIST}/${row.id}?done=created`);
      });
    });
  });
}

/** What is wrong with a part of a seller, which stays as it is. */
export async function checkSellerPartAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async () =>
    withBody(form, PARTS[textOf(form, "part")] ?? [], sellerChange, {}, nothing),
  );
}

export async function changeSellerAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async ({ ctx, role }) => {
    const id = textOf(form, "id");
    const members = PARTS[textOf(form, "part")] ?? [];
    const reached = await reaching(ctx, "seller", id);
    const cleared = members === TERM_MEMBERS ? clearedTerms(form) : {};
    return withBody(form, members, sellerChange, {}, async (body) => {
      const { merchantId } = (await inTransaction(reached, (inside) => sellerAt(inside, id))).row;
      return unlessTaken({ ctx: reached, role, merchantId, form, members }, async () => {
        await inTransaction(reached, (inside) => updateSeller(inside, id, { ...body, ...cleared }));
        return redirect(`${LIST}/${id}?done=saved`);
      });
    });
  });
}

/** Emptied in the form: the default plan again, no limit of days again. */
const clearedTerms = (form: FormData) => ({
  ...(textOf(form, "planId") === "" ? { planId: null } : {}),
  ...(textOf(form, "maxRefundDays") === "" ? { maxRefundDays: null } : {}),
});

export async function switchSellerAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async ({ ctx }) => {
    const id = textOf(form, "id");
    const status = textOf(form, "how") === "on" ? "active" : "inactive";
    const statusReason = textOf(form, "reason").slice(0, LONGEST_REASON) || undefined;
    const reached = await reaching(ctx, "seller", id);
    await inTransaction(reached, (inside) => updateSeller(inside, id, { status, statusReason }));
    return redirect(`${LIST}/${id}?done=${status}`);
  });
}

const LONGEST_REASON = 255;

export async function deleteSellerAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("sellers");
    const id = textOf(form, "id");
    const reached = await reaching(ctx, "seller", id);
    const { row } = await inTransaction(reached, (inside) => sellerAt(inside, id));
    const typed = textOf(form, "typed");
    if (typed !== (row.businessName ?? row.ownerName))
      return { problems: { typed: t("typedProblem") }, given: { typed } };
    try {
      await inTransaction(reached, (inside) => deleteSeller(inside, id, row.merchantId));
    } catch (thrown) {
      if (thrown instanceof DomainError && thrown.businessCode === "seller_has_balance")
        return { problem: t("hasBalance"), given: { typed } };
      throw thrown;
    }
    return redirect(`${LIST}?done=deleted`);
  });
}

export async function proposeAccountAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.bank", async ({ ctx }) => {
    const id = textOf(form, "id");
    const reached = await reaching(ctx, "seller", id);
    return withBody(form, ACCOUNT_MEMBERS, sellerChange, {}, async ({ bankAccount }) => {
      const how = await proposeAccount(reached, id, bankAccount ?? {});
      return redirect(`${LIST}/${id}?done=${how === "proposed" ? "account-proposed" : "account"}`);
    });
  });
}

/** What is wrong with a new bank account, which is not proposed. */
export async function checkAccountAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.bank", async () => withBody(form, ACCOUNT_MEMBERS, sellerChange, {}, nothing));
}

/** The second person's word on a new bank account. */
export async function endAccountAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.bank", async ({ ctx }): Promise<TaskState> => {
    const [id, change] = [textOf(form, "id"), textOf(form, "change")];
    const reached = await reaching(ctx, "seller", id);
    const isConfirmed = textOf(form, "how") === "confirm";
    return unlessOver(async () => {
      await endAccountChange(reached, id, change, isConfirmed ? "confirmed" : "refused");
      return redirect(`${LIST}/${id}?done=${isConfirmed ? "account" : "account-refused"}`);
    });
  });
}

/** The whole of a debt, as it was shown. */
export async function proposeWriteOffAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("finance.adjust", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("sellers");
    const [id, reason] = [textOf(form, "id"), textOf(form, "reason")];
    const asked = adjustmentInput.safeParse({ kind: "write_off", amount: Number(textOf(form, "amount")) });
    if (reason === "" || reason.length > LONGEST_REASON || !asked.success)
      return { problems: { reason: t("writeOffReasonProblem") }, given: { reason } };
    const reached = await reaching(ctx, "seller", id);
    return unlessPaid({ reason }, async () => {
      const how = await proposeAdjustment(reached, id, asked.data, reason);
      countAnew();
      return redirect(`${LIST}/${id}?done=${how === "proposed" ? "write-off-proposed" : "write-off"}`);
    });
  });
}

/** Of the form: a correction that takes is the one that adds with the other sign. */
const ADJUSTMENTS = { credit: ["credit", 1], add: ["correction", 1], take: ["correction", -1] } as const;

/** Money of a seller that no sale moves, up or down. */
export async function proposeAdjustmentAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("finance.adjust", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("sellers");
    const id = textOf(form, "id");
    const given = Object.fromEntries(["kind", "amount", "reason"].map((name) => [name, textOf(form, name)]));
    const { kind = "", amount = "", reason = "" } = given;
    const [named, sign] = Object.hasOwn(ADJUSTMENTS, kind)
      ? // Guarantee: looked up only where the key exists.
        ADJUSTMENTS[kind as keyof typeof ADJUSTMENTS]
      : ["", 1];
    const amounts = await typedAmounts();
    const asked = adjustmentInput.safeParse({
      kind: named,
      amount: Number(sign) * (amounts.read(amount) ?? Number.NaN),
    });
    const problems: Record<string, string> = {};
    if (reason === "" || reason.length > LONGEST_REASON) problems.reason = t("adjustReasonProblem");
    if (!asked.success) problems.amount = amounts.problemOf(amount);
    if (!asked.success || Object.keys(problems).length > 0) return { problems, given };
    const how = await proposeAdjustment(await reaching(ctx, "seller", id), id, asked.data, reason);
    countAnew();
    return redirect(`${LIST}/${id}?done=${how === "proposed" ? "adjustment-proposed" : "adjusted"}`);
  });
}

/** The second person's word on money of a seller that no sale moves. */
export async function endAdjustmentAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("finance.adjust", async ({ ctx }): Promise<TaskState> => {
    const [id, proposal] = [textOf(form, "id"), textOf(form, "proposal")];
    const reached = await reaching(ctx, "seller", id);
    const isConfirmed = textOf(form, "how") === "confirm";
    return unlessOver(() =>
      unlessPaid({}, async () => {
        await endAdjustment(reached, id, proposal, isConfirmed ? "approved" : "refused");
        countAnew();
        return redirect(`${LIST}/${id}?done=${isConfirmed ? "adjusted" : "adjustment-refused"}`);
      }),
    );
  });
}

/** A debt that got smaller since it was shown. */
async function unlessPaid(given: Record<string, string>, work: () => Promise<TaskState>): Promise<TaskState> {
  const t = await getTranslations("sellers");
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof DomainError && thrown.businessCode === "amount_exceeds_remaining")
      return { problem: t("writeOffChanged"), given };
    throw thrown;
  }
}

export async function addDocumentAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("sellers");
    const id = textOf(form, "id");
    const reached = await reaching(ctx, "seller", id);
    const type = textOf(form, "type");
    if (!isDocumentType(type)) return { problems: { type: t("unfitChoice") } };
    const chosen = await chosenFiles(form, [{ name: "file", type, isRequired: true }]);
    const { uploads, problems } = await checkedFiles(reached, chosen.files);
    const wrong = { ...chosen.problems, ...problems };
    if (Object.keys(wrong).length > 0) return { problems: wrong, given: { type } };
    await inTransaction(reached, async (inside) => {
      const documents: string[] = [];
      for (const upload of uploads) documents.push((await storeUpload(inside, upload)).id);
      await updateSeller(inside, id, { documents });
    });
    return redirect(`${LIST}/${id}?done=document`);
  });
}

/** To the seller's own page; once more, another link goes to the same address. */
export async function inviteAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async ({ ctx }): Promise<TaskState> => {
    const id = textOf(form, "id");
    const locale = textOf(form, "locale");
    const email = z.email().max(LONGEST_EMAIL).safeParse(textOf(form, "email"));
    if (!email.success) {
      const t = await getTranslations("sellers");
      return { problems: { email: t("inviteEmailProblem") }, given: { email: textOf(form, "email"), locale } };
    }
    const reached = await reaching(ctx, "seller", id);
    await inviteToSeller(reached, id, { email: email.data, locale: isLocale(locale) ? locale : DEFAULT_LOCALE });
    return redirect(`${LIST}/${id}?done=invited`);
  });
}

const LONGEST_EMAIL = 254;

export async function revokeAccessAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async ({ ctx }): Promise<TaskState> => {
    const [id, access] = [textOf(form, "id"), textOf(form, "access")];
    const reached = await reaching(ctx, "seller", id);
    if (!isUuid(access)) throw notFound("access");
    await revokeAccess(reached, id, access);
    return redirect(`${LIST}/${id}?done=revoked`);
  });
}

/** On behalf of the seller: what a provider's review asks for, and nothing else. */
export async function submitReviewAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("sellers.edit", async ({ ctx }): Promise<TaskState> => {
    const [id, reviewId] = [textOf(form, "id"), textOf(form, "review")];
    if (!isUuid(reviewId)) return { problem: (await getTranslations("tasks"))("incomplete") };
    const reached = await reaching(ctx, "seller", id);
    return withAnswer(reached, id, reviewId, form, {
      done: () => redirect(`${LIST}/${id}?done=submitted`),
      elsewhere: (await getTranslations("sellers"))("reviewElsewhere"),
    });
  });
}
