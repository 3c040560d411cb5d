import { closePools } from "@/db/client";
import { startWorker } from "@/inngest/worker";
import { announceReady, onStop } from "@/scripts/start/lifecycle";

const worker = await startWorker();
onStop(async () => {
  await worker.stop();
  await closePools();
});
announceReady();
