import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerQuestions } from "@/bench/processes";
import { serveCheckout } from "@/lib/testing/checkout-routes";
import { serveFetch } from "@/scripts/server/adapter";
import { cleanHeaders } from "@/scripts/server/headers";

/** The pages of the checkout as `npm start` answers them, without what stands in front. */
const server = createServer((request, response) => {
  cleanHeaders(request, 0);
  serveFetch(serveCheckout, request, response, "http://127.0.0.1").catch(() => response.destroy());
});
const listening = new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

answerQuestions(async () => {
  await listening;
  // Guarantee: a server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { port };
});
