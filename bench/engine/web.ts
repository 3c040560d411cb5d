import { createServer } from "node:http";
import { dispatch } from "@/app/api/registry";
import { engine } from "@/inngest/client";
import { startServing } from "@/inngest/serving";
import { SERVE_PATH } from "@/lib/engine/inngest/driver";
import { env } from "@/lib/env";
import { serveFetch } from "@/scripts/server/adapter";
import { cleanHeaders } from "@/scripts/server/headers";
import { announceReady, onStop } from "@/scripts/start/lifecycle";

/** A web process as `npm start` has it, without the pages: payments, and Inngest's calls while no worker takes them. */
const settings = env();
let calls = 0;
const answer = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url);
  if (pathname === "/calls") return Response.json({ calls });
  if (pathname !== SERVE_PATH) return dispatch(request);
  calls += 1;
  return (await engine().inngest?.handle(request)) ?? new Response(null, { status: 404 });
};
const server = createServer((request, response) => {
  cleanHeaders(request, 0);
  serveFetch(answer, request, response, settings.BASE_URL).catch(() => response.destroy());
});
await new Promise<void>((resolve) => server.listen(settings.PORT, settings.HOST, resolve));
const serving = await startServing("web", settings);
onStop(() => serving.stop());
announceReady();
