import { answerQuestions } from "@/bench/processes";
import { loadAccount } from "@/lib/accounts/service";
import { inTransaction, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { getReport } from "@/lib/reports/queries";
import { writeFiles } from "@/lib/reports/write";

/** As the worker does it, in a process of its own: one report, once. Answers how many rows it had. */
answerQuestions(async ({ clientId, reportId }: { clientId: string; reportId: string }) => {
  const ctx = systemContext(await loadAccount(clientId), newId());
  const report = await inTransaction(ctx, (inside) => getReport(inside, reportId));
  const { files } = await writeFiles(ctx, report, async () => undefined);
  return files.reduce((sum, { rows }) => sum + rows, 0);
});
