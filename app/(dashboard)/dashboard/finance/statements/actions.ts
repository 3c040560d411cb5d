"use server";

import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { countAnew } from "@/app/(dashboard)/count-anew";
import { STATEMENTS } from "@/app/(dashboard)/dashboard/finance/words";
import { runTask, textOf } from "@/app/(dashboard)/task";
import type { TaskState } from "@/components/tasks/task-form";
import { RequestError } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { reaching } from "@/lib/operators/reach";
import { keepStatement, LARGEST_STATEMENT_BYTES, takeKeptStatement } from "@/lib/settlement/statement-files";

/** Looked at before anything of it is booked. */
export async function uploadStatementAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("finance.settle", async ({ ctx }): Promise<TaskState> => {
    const t = await getTranslations("finance");
    const provider = textOf(form, "provider");
    const file = form.get("file");
    const given = { provider };
    const isFile = file instanceof File && file.size > 0 && file.size <= LARGEST_STATEMENT_BYTES;
    if (!isUuid(provider) || !isFile) {
      const problems = {
        ...(isUuid(provider) ? {} : { provider: t("statementProviderProblem") }),
        ...(isFile ? {} : { file: t("statementFileProblem") }),
      };
      return { problems, given };
    }
    const reached = await reaching(ctx, "provider", provider);
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      return redirect(`${STATEMENTS}/${await keepStatement(reached, provider, { name: file.name, bytes })}`);
    } catch (thrown) {
      if (!(thrown instanceof RequestError && thrown.status === 400)) throw thrown;
      return { problems: { file: t("statementFileProblem") }, given };
    }
  });
}

export async function takeStatementAction(_before: TaskState, form: FormData): Promise<TaskState> {
  return runTask("finance.settle", async ({ ctx }) => {
    const id = textOf(form, "id");
    await takeKeptStatement(await reaching(ctx, "statement_file", id), id);
    countAnew();
    return redirect(`${STATEMENTS}/${id}?done=taken`);
  });
}
