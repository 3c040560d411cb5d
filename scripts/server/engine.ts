import { createServer } from "node:http";
import { GET as metrics } from "@/app/metrics/route";
import { engine } from "@/inngest/client";
import { startServing } from "@/inngest/serving";
import { SERVE_PATH } from "@/lib/engine/inngest/driver";
import type { Env } from "@/lib/env";
import { log } from "@/lib/log";
import { ClientGone, serveFetch } from "@/scripts/server/adapter";
import { answeredHealth } from "@/scripts/server/health";

const ABSENT = (): Response => new Response("not found\n", { status: 404 });

/**
 * A worker that was given a port takes Inngest's calls itself, so that they never share a process with payments. It
 * answers probes and Prometheus there too.
 */
export async function serveEngine(settings: Env): Promise<{ stop(): Promise<void> }> {
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === SERVE_PATH) return (await engine().inngest?.handle(request)) ?? ABSENT();
    if (pathname === "/metrics" && request.method === "GET") return metrics(request);
    return ABSENT();
  };
  let isStopping = false;
  const server = createServer((request, response) => {
    if (answeredHealth(request, response, isStopping ? "stopping" : "serving")) return;
    serveFetch(answer, request, response, `http://${settings.HOST}:${settings.PORT}`).catch((error: unknown) => {
      if (!(error instanceof ClientGone)) log.error({ error }, "a call of the engine failed");
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.PORT, settings.HOST, resolve);
  });
  const serving = await startServing("worker", settings);
  return {
    async stop() {
      isStopping = true;
      await serving.stop().catch((error: unknown) => log.error({ error }, "the engine was not told of the stop"));
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await closed;
    },
  };
}
