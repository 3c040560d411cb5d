import cluster from "node:cluster";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dispatch } from "@/app/api/registry";
import { cpuSecondsOf } from "@/bench/machine";
import { answerQuestions, ownCpuSeconds } from "@/bench/processes";
import { serveFetch } from "@/scripts/server/adapter";
import { cleanHeaders } from "@/scripts/server/headers";

/** The product's API as `npm start` serves it, without the pages; with WEB_PROCESSES from so many processes on one port. */
const count = Number(process.env.WEB_PROCESSES ?? 1);

function serve(port: number): Promise<number> {
  const server = createServer((request, response) => {
    cleanHeaders(request, 0);
    serveFetch(dispatch, request, response, "http://127.0.0.1", "carried").catch(() => response.destroy());
  });
  return new Promise((resolve) =>
    server.listen(port, "127.0.0.1", () => {
      // Guarantee: a server that listens on a port has an AddressInfo.
      resolve((server.address() as AddressInfo).port);
    }),
  );
}

/** As the launcher hands connections out (scripts/start/children.ts). */
function serveShared(): Promise<number> {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const ports = Array.from(
    { length: count },
    () => new Promise<number>((resolve) => cluster.fork().once("listening", ({ port }) => resolve(port))),
  );
  return Promise.all(ports).then(([port = 0]) => port);
}

if (cluster.isWorker) await serve(0);
else {
  const serving = count > 1 ? serveShared() : serve(0);
  answerQuestions(async () => {
    const port = await serving;
    const others = Object.values(cluster.workers ?? {}).map((worker) => cpuSecondsOf(worker?.process.pid ?? 0));
    return { port, cpuSeconds: others.reduce((sum, seconds) => sum + seconds, ownCpuSeconds()) };
  });
}
