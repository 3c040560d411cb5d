import type { IncomingMessage, ServerResponse } from "node:http";
import { readiness } from "@/lib/health/checks";

const PATHS = /^\/(livez|readyz|healthz)(?:\?|$)/;

/** Where a process is in its life. Only while it serves is its readiness that of what it needs. */
export type Life = "starting" | "serving" | "stopping";

/** The probes of load balancers and orchestrators: on every host, for everybody, and with no figures. */
export function answeredHealth(request: IncomingMessage, response: ServerResponse, life: Life): boolean {
  const path = PATHS.exec(request.url ?? "")?.[1];
  if (path === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false;
  if (path !== "readyz") send(response, 200, { status: "ok" });
  else if (life === "stopping") send(response, 503, { status: life });
  else {
    // Checks may be fine before this process has looked for itself: what is sent to it then it would refuse.
    void readiness().then(({ ready, checks }) => {
      const status = life === "starting" && ready ? life : ready ? "ready" : "unavailable";
      send(response, status === "ready" ? 200 : 503, { status, checks });
    });
  }
  return true;
}

function send(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(bytes.byteLength),
    "cache-control": "no-store",
  });
  response.end(bytes);
}
