import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dispatch } from "@/app/api/registry";
import { answerQuestions, ownCpuSeconds } from "@/bench/processes";
import { serveFetch } from "@/scripts/server/adapter";
import { cleanHeaders } from "@/scripts/server/headers";

/** The product's API as `npm start` serves it, without the pages. */
const server = createServer((request, response) => {
  cleanHeaders(request, 0);
  serveFetch(dispatch, request, response, "http://127.0.0.1").catch(() => response.destroy());
});
const listening = new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

answerQuestions(async () => {
  await listening;
  // Guarantee: a server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { port, cpuSeconds: ownCpuSeconds() };
});
