import { expect, test } from "vitest";
import { z } from "zod";
import { runNow } from "@/lib/engine/run-now";
import { cron, eventType, workflow } from "@/lib/engine/workflow";

const minute = cron("* * * * *", "UTC");
const thing = eventType("run-now/thing", z.object({ n: z.number() }));
const signal = new AbortController().signal;

test("every step is done at once until one would wait; what it throws is the caller's", async () => {
  const done: string[] = [];
  const sent: object[] = [];
  const flow = workflow({ id: "run-now", triggers: minute }, async ({ event, step }) => {
    done.push(await step.run("first", () => event.data.cron));
    await step.sendEvent("tell", thing.create({ n: 1 }));
    await step.sleep("long", "1h");
    done.push("never");
  });
  await runNow(flow, async (events) => void sent.push(...events), signal);
  expect([done, sent]).toMatchObject([["* * * * *"], [{ name: "run-now/thing", data: { n: 1 } }]]);
  const broken = workflow({ id: "run-now-broken", triggers: minute }, ({ step }) =>
    step.run("only", () => {
      throw new Error("broken");
    }),
  );
  await expect(runNow(broken, async () => undefined, signal)).rejects.toThrow("broken");
});
