"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { countAnew } from "@/app/(dashboard)/count-anew";
import { PAYOUT_FILES, PAYOUT_RETURNS, RETURN_TEXTS } from "@/app/(dashboard)/dashboard/payouts/words";
import { runTask, textOf, unlessOver } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { isUuid } from "@/lib/ids";
import { reaching } from "@/lib/operators/reach";
import { BadReturn } from "@/lib/payouts/cnab240/return-file";
import { endFile, proposeFile } from "@/lib/payouts/remittances";
import { endReturn, keepReturn, LARGEST_RETURN_BYTES, proposeReturn } from "@/lib/payouts/returns";

const LONGEST_REASON = 500;

/** Of all transfers of a merchant that wait for a file; a second person approves it. */
export async function makeFileAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payouts.mark", async ({ ctx }): Promise<TaskState> => {
    const id = textOf(form, "id");
    const reason = textOf(form, "reason");
    if (reason === "" || reason.length > LONGEST_REASON) {
      return { problems: { reason: (await getTranslations("payouts"))("markReasonProblem") }, given: { reason } };
    }
    const done = await proposeFile(await reaching(ctx, "merchant", id), id, reason);
    countAnew();
    return redirect(`${PAYOUT_FILES}?done=${done === "done" ? "made" : "proposed"}`);
  });
}

export async function endFileAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payouts.mark", async ({ ctx }) => {
    const id = textOf(form, "id");
    const outcome = textOf(form, "how") === "approved" ? "approved" : "refused";
    const reached = await reaching(ctx, "merchant", id);
    return unlessOver(async () => {
      await endFile(reached, id, textOf(form, "proposal"), outcome);
      countAnew();
      return redirect(`${PAYOUT_FILES}?done=${outcome === "approved" ? "made" : "refused"}`);
    });
  });
}

/** What a bank answered: looked at before anything of it is booked. */
export async function bringReturnAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payouts.mark", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("payouts");
    const id = textOf(form, "merchant");
    const file = form.get("file");
    const given = { merchant: id };
    const isFile = file instanceof File && file.size > 0 && file.size <= LARGEST_RETURN_BYTES;
    if (!isUuid(id) || !isFile) {
      const problems = {
        ...(isUuid(id) ? {} : { merchant: t("filesMerchantProblem") }),
        ...(isFile ? {} : { file: t("returnFileProblem") }),
      };
      return { problems, given };
    }
    const reached = await reaching(ctx, "merchant", id);
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const kept = await keepReturn(reached, id, { name: file.name, bytes });
      countAnew();
      return redirect(`${PAYOUT_RETURNS}/${kept}`);
    } catch (thrown) {
      if (!(thrown instanceof BadReturn)) throw thrown;
      return { problems: { file: t(RETURN_TEXTS[thrown.problem], { line: thrown.line }) }, given };
    }
  });
}

/** A second person approves that it is read. */
export async function takeReturnAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payouts.mark", async ({ ctx }): Promise<TaskState> => {
    const [id, reason] = [textOf(form, "id"), textOf(form, "reason")];
    if (reason === "" || reason.length > LONGEST_REASON) {
      return { problems: { reason: (await getTranslations("payouts"))("markReasonProblem") }, given: { reason } };
    }
    const reached = await reaching(ctx, "payout_return", id);
    return unlessOver(async () => {
      const done = await proposeReturn(reached, id, reason);
      countAnew();
      return redirect(`${PAYOUT_FILES}?done=${done === "done" ? "taken" : "proposed"}`);
    });
  });
}

export async function endReturnAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payouts.mark", async ({ ctx }) => {
    const id = textOf(form, "id");
    const outcome = textOf(form, "how") === "approved" ? "approved" : "refused";
    const reached = await reaching(ctx, "payout_return", id);
    return unlessOver(async () => {
      await endReturn(reached, id, textOf(form, "proposal"), outcome);
      countAnew();
      return redirect(`${PAYOUT_FILES}?done=${outcome === "approved" ? "taken" : "refused"}`);
    });
  });
}
