import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { afterEach, expect, test } from "vitest";
import { databaseHere } from "@/db/availability";
import { answeredAway } from "@/scripts/server/away";

const NOBODY = "postgres://nobody:nothing@127.0.0.1:1/none";
const given = process.env.DATABASE_URL;
afterEach(() => {
  process.env.DATABASE_URL = given;
});

async function ask(
  listener: RequestListener,
  language: string,
  { path = "/sign-in", method = "GET", ...more }: Record<string, string> = {},
): Promise<Response & { page: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const headers = { accept: "text/html", "accept-language": language, "accept-encoding": "gzip", ...more };
    const signal = AbortSignal.timeout(3_000);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, method, signal });
    return Object.assign(response, { page: await response.text() });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const LANGUAGES = [
  ["pt-BR", "Serviço temporariamente indisponível"],
  ["en", "Temporarily unavailable"],
] as const;

// Guarantee: the framework's own copy of this well-known middleware, which brings no types.
const compression = createRequire(import.meta.url)("next/dist/compiled/compression") as () => (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void;

/** As the framework does: compressed, and with an error's page when the database broke under it. */
const breakingPage: RequestListener = (request, response) => {
  if (answeredAway(request, response)) return;
  compression()(request, response, () => {
    process.env.DATABASE_URL = NOBODY;
    void databaseHere(AbortSignal.timeout(50));
    response.statusCode = 500;
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.write("<html>an error</html>".repeat(200));
    response.end();
  });
};

test.each(LANGUAGES)("a page whose database breaks under it is the whole 503 page (%s)", async (language, title) => {
  const answer = await ask(breakingPage, language);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("2");
  expect(answer.page).toContain(`<title>${title}</title>`);
  expect(answer.page).toMatch(/<\/html>$/);
});

test.each(LANGUAGES)("a page is not begun while the database is away (%s)", async (language, title) => {
  process.env.DATABASE_URL = NOBODY;
  await databaseHere(AbortSignal.timeout(1_000));
  const answer = await ask((request, response) => {
    if (!answeredAway(request, response)) response.end("begun");
  }, language);
  expect(answer.status).toBe(503);
  expect(answer.page).toContain(`<html lang="${language}">`);
  expect(answer.page).toContain(title);
});

test("a page is in the theme that its reader chose, the checkout's in that of the buyer's machine", async () => {
  process.env.DATABASE_URL = NOBODY;
  await databaseHere(AbortSignal.timeout(1_000));
  const away: RequestListener = (request, response) => void answeredAway(request, response);
  const schemeOf = async (path: string, cookie: string) =>
    /color-scheme:([a-z ]+)/.exec((await ask(away, "en", { path, cookie })).page)?.[1];
  expect(await schemeOf("/dashboard", "a=b")).toBe("light dark");
  expect(await schemeOf("/dashboard", "a=b; trilho-theme=dark")).toBe("dark");
  expect(await schemeOf("/dashboard", "trilho-theme=light")).toBe("light");
  expect(await schemeOf(LINK, "trilho-theme=dark")).toBe("light dark");
});

const LINK = "/pay/0192f1c0-1111-7aaa-8bbb-000000000001";

test("whoever pressed Pay meanwhile is led to the page of the link, in its language, in a shop's frame too", async () => {
  process.env.DATABASE_URL = NOBODY;
  await databaseHere(AbortSignal.timeout(1_000));
  const away: RequestListener = (request, response) => void answeredAway(request, response);
  const paid = await ask(away, "pt-BR", { path: `${LINK}/card`, method: "POST", cookie: "a=b; lang=en" });
  expect(paid.headers.get("refresh")).toBe("5; url=../0192f1c0-1111-7aaa-8bbb-000000000001");
  expect(paid.page).toContain('<a href="../0192f1c0-1111-7aaa-8bbb-000000000001">Try again</a>');
  expect(paid.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  const framed = await ask(away, "pt-BR", { path: `${LINK}?lang=en`, "sec-fetch-dest": "iframe" });
  expect(framed.headers.get("refresh")).toBe("5");
  expect(framed.page).toContain('<html lang="en">');
  expect(framed.headers.get("content-security-policy")).not.toContain("frame-ancestors");
  const sent = await ask(away, "en", { method: "POST", "sec-fetch-dest": "iframe" });
  expect(sent.headers.get("refresh")).toBeNull();
  expect(sent.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});
