"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { PAYOUT_FILES, RETURN_TEXTS } from "@/app/(dashboard)/dashboard/payouts/words";
import { runTask, textOf, unlessOver } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { isUuid } from "@/lib/ids";
import { reaching } from "@/lib/operators/reach";
import { BadReturn } from "@/lib/payouts/cnab240/return-file";
import { endFile, proposeFile } from "@/lib/payouts/remittances";
import { bringReturn, endReturn, LARGEST_RETURN_BYTES } from "@/lib/payouts/returns";

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
      return redirect(`${PAYOUT_FILES}?done=${outcome === "approved" ? "made" : "refused"}`);
    });
  });
}

/** What a bank answered; a second person approves that it is read. */
export async function bringReturnAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payouts.mark", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("payouts");
    const [id, reason] = [textOf(form, "merchant"), textOf(form, "reason")];
    const file = form.get("file");
    const given = { merchant: id, reason };
    if (!isUuid(id)) return { problems: { merchant: t("filesMerchantProblem") }, given };
    if (reason === "" || reason.length > LONGEST_REASON) return { problems: { reason: t("markReasonProblem") }, given };
    const reached = await reaching(ctx, "merchant", id);
    if (!(file instanceof File) || file.size === 0 || file.size > LARGEST_RETURN_BYTES)
      return { problems: { file: t("returnFileProblem") }, given };
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const done = await bringReturn(reached, id, { name: file.name, bytes }, reason);
      return redirect(`${PAYOUT_FILES}?done=${done === "done" ? "taken" : done}`);
    } catch (thrown) {
      if (!(thrown instanceof BadReturn)) throw thrown;
      return { problems: { file: t(RETURN_TEXTS[thrown.problem], { line: thrown.line }) }, given };
    }
  });
}

export async function endReturnAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("payouts.mark", async ({ ctx }) => {
    const id = textOf(form, "id");
    const outcome = textOf(form, "how") === "approved" ? "approved" : "refused";
    const reached = await reaching(ctx, "payout_return", id);
    return unlessOver(async () => {
      await endReturn(reached, id, textOf(form, "proposal"), outcome);
      return redirect(`${PAYOUT_FILES}?done=${outcome === "approved" ? "taken" : "refused"}`);
    });
  });
}
