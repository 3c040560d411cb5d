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

async function ask(listener: RequestListener, language: string): Promise<Response & { page: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const headers = { accept: "text/html", "accept-language": language, "accept-encoding": "gzip" };
    const response = await fetch(`http://127.0.0.1:${port}/sign-in`, { headers, signal: AbortSignal.timeout(3_000) });
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
