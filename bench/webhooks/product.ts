import { answerQuestions, ownCpuSeconds } from "@/bench/processes";
import { systemSql } from "@/db/client";
import { type Dispatcher, startDispatcher } from "@/lib/webhooks/dispatcher";

/** The dispatcher as the worker runs it. */
let dispatcher: Dispatcher | undefined;

answerQuestions<{ ask: "start" | "stop" | "usage" }>(async ({ ask }) => {
  if (ask === "start") dispatcher ??= await startDispatcher({ sql: systemSql() });
  if (ask === "stop") {
    await dispatcher?.stop();
    dispatcher = undefined;
  }
  return { cpuSeconds: ownCpuSeconds() };
});
