import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askedOf } from "@/app/request-origin";
import { cleanHeaders, tellAddress } from "@/scripts/server/headers";

let server: Server;
let origin = "";
beforeAll(async () => {
  server = createServer((request, response) => {
    cleanHeaders(request, 0);
    const claimed = request.headersDistinct["x-trilho-asked"];
    tellAddress(request);
    const asked = askedOf(new Headers({ "x-trilho-asked": String(request.headers["x-trilho-asked"]) }));
    response.end(JSON.stringify({ claimed, asked }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
});
afterAll(() => server.close());

test("a page knows the address it was asked for, and no caller's word for it", async () => {
  const path = "/dashboard/links/1?do=answer&request=2";
  const answer = await fetch(origin + path, { headers: { "x-trilho-asked": "/dashboard/links/1?do=cancel" } });
  expect(await answer.json()).toEqual({ asked: path });
});
