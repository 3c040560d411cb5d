import { closePools } from "@/db/client";
import { startWorker } from "@/inngest/worker";
import { env } from "@/lib/env";
import { serveEngine } from "@/scripts/server/engine";
import { announceReady, onStop } from "@/scripts/start/lifecycle";

const settings = env();
const hasOwnPort = settings.TRILHO_ROLE === "worker" && (process.env.PORT ?? "").trim() !== "";

const worker = await startWorker();
const server = hasOwnPort ? await serveEngine(settings) : undefined;
onStop(async () => {
  await server?.stop();
  await worker.stop();
  await closePools();
});
announceReady();
