import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dispatch } from "@/app/api/registry";
import { serveFetch } from "@/scripts/server/adapter";

/** The API alone in a process of its own, for tests that kill it: prints its port when it serves. */
const server = createServer((request, response) => {
  serveFetch(dispatch, request, response, "http://127.0.0.1", "carried").catch(() => response.destroy());
});

server.listen(0, "127.0.0.1", () => {
  // Guarantee: a server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ port })}\n`);
});
