import { closePools } from "@/db/client";
import { startWorker, type Worker } from "@/inngest/worker";
import { env } from "@/lib/env";
import { startBeating } from "@/lib/health/beat";
import { logDatabaseNews } from "@/lib/health/database-news";
import { serveEngine } from "@/scripts/server/engine";
import { announceReady, onStop, outliveBrokenConnections, verifyDatabase } from "@/scripts/start/lifecycle";
import { startTracing } from "@/scripts/start/tracing";

const settings = env();
const hasOwnPort = settings.TRILHO_ROLE === "worker" && (process.env.PORT ?? "").trim() !== "";

const stopTracing = await startTracing("worker");
let server: Awaited<ReturnType<typeof serveEngine>> | undefined;
let worker: Worker | undefined;
let stopBeating: (() => Promise<void>) | undefined;
let isStopping = false;

outliveBrokenConnections();
logDatabaseNews();
onStop(async () => {
  isStopping = true;
  await server?.stop();
  await Promise.all([worker?.stop(), stopBeating?.()]);
  await stopTracing();
  await closePools();
});
// It lives without a database, and works as soon as there is one.
server = hasOwnPort ? await serveEngine(settings) : undefined;
announceReady();
await verifyDatabase();
stopBeating = startBeating();
try {
  worker = await startWorker();
} catch (error) {
  // Told to stop while it started: the connections were closed under it, and nothing had begun.
  if (!isStopping) throw error;
}
