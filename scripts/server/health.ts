import type { IncomingMessage, ServerResponse } from "node:http";
import { readiness } from "@/lib/health/checks";

const PATHS = /^\/(livez|readyz|healthz)(?:\?|$)/;

/** The probes of load balancers and orchestrators: on every host, for everybody, and with no figures. */
export function answeredHealth(request: IncomingMessage, response: ServerResponse, isStopping: boolean): boolean {
  const path = PATHS.exec(request.url ?? "")?.[1];
  if (path === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false;
  if (path !== "readyz") send(response, 200, { status: "ok" });
  else if (isStopping) send(response, 503, { status: "stopping" });
  else {
    void readiness().then(({ ready, checks }) =>
      send(response, ready ? 200 : 503, { status: ready ? "ready" : "unavailable", checks }),
    );
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
