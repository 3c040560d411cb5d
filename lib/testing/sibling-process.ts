import { createServer } from "node:http";
import { countedByAll, countRequest, meters, PAGE } from "@/lib/metrics";
import { answerSiblings, beSibling } from "@/lib/siblings";
import { announceReady, onStop } from "@/scripts/start/lifecycle";

/** A process that shares its port: counts what it is asked, and tells what all of them counted. */
beSibling();
answerSiblings("counts", () => meters().registry.getMetricsAsJSON());
const server = createServer(async (request, response) => {
  if (request.url === "/metrics") {
    response.end(await (await countedByAll()).metrics());
    return;
  }
  countRequest("GET", PAGE, 200, 1);
  response.end(String(process.pid));
});
onStop(async () => {
  server.close();
  server.closeIdleConnections();
});
server.listen(Number(process.env.PORT), "127.0.0.1", announceReady);
