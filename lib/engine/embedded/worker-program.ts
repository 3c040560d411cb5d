import postgres from "postgres";
import { z } from "zod";
import { createEmbeddedEngine } from "@/lib/engine/embedded/engine";
import { eventType, workflow } from "@/lib/engine/workflow";
import { pause } from "@/lib/wait";

/** The worker that worker-processes.test.ts starts, stops and kills. */
const [databaseUrl = "", worker = "", hangsIn = "", leaseSeconds = "10"] = process.argv.slice(2);
const sql = postgres(databaseUrl, { max: 6, onnotice: () => undefined });

const note = (run: string, step: string) =>
  sql`insert into worker_notes (worker, run, step, at) values (${worker}, ${run}, ${step}, clock_timestamp())`;

const job = eventType("worker/job.made", z.object({ run: z.string() }));
const turn = eventType("worker/turn.made", z.object({ run: z.string(), key: z.string() }));

const workflows = [
  workflow({ id: "worker-job", triggers: job }, async ({ event, step }) => {
    const { run } = event.data;
    await step.run("one", () => note(run, "one").then(() => null));
    await step.run("two", async () => {
      await note(run, "two");
      if (hangsIn === "two") await pause(60_000);
    });
    await step.run("three", () => note(run, "three").then(() => null));
  }),
  workflow({ id: "worker-turn", triggers: turn, concurrency: { key: "event.data.key", limit: 1 } }, ({ event, step }) =>
    step.run("turn", async () => {
      await note(event.data.run, `begin ${event.data.key}`);
      await pause(10);
      await note(event.data.run, `end ${event.data.key}`);
    }),
  ),
];

const seconds = Number(leaseSeconds);
const engine = createEmbeddedEngine({
  sql,
  workflows,
  worker: { lease: { seconds, heartbeatSeconds: seconds / 3 } },
  onError: (error, doing) => console.error(doing, error),
});
await engine.start();
process.on("SIGTERM", () => {
  engine
    .stop()
    .then(() => sql.end({ timeout: 1 }))
    .then(() => process.exit(0));
});
process.send?.("ready");
