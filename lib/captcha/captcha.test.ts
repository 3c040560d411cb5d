import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Challenge, checkSolution, MOST_HASHES, newChallenge } from "@/lib/captcha/challenge";
import { ANSWERS_PER_HOUR, checkAnswer, mayAnswer, newQuestion, questionToken } from "@/lib/captcha/question";
import type { ServiceSetup } from "@/lib/captcha/service";
import { sweepCaptchas } from "@/lib/captcha/sweep";
import { type CaptchaProof, readCaptcha, takeCaptcha } from "@/lib/captcha/verify";
import { type Context, inTransaction } from "@/lib/context";
import { newId } from "@/lib/ids";
import { createHttpTransport } from "@/lib/providers/http-client";
import { openClient } from "@/lib/testing/api";
import { addSeconds, realNow } from "@/lib/time";

const SESSION = newId();
const OTHER_SESSION = newId();
const LIVE = { mode: "live" } as const;

function solved(challenge: Challenge, changes: Record<string, unknown> = {}): string {
  const { algorithm, salt, signature } = challenge;
  let number = 0;
  while (createHash("sha256").update(`${salt}${number}`).digest("hex") !== challenge.challenge) number += 1;
  const fields = { algorithm, challenge: challenge.challenge, number, salt, signature, ...changes };
  return Buffer.from(JSON.stringify(fields)).toString("base64");
}

const present = (token: string | null, sessionId = SESSION) =>
  readCaptcha({ token, sessionId, account: LIVE, ip: "203.0.113.7" }, { setup: { provider: "pow" } });

const take = (
  ctx: Context,
  proof: CaptchaProof,
  asked: { level?: "none" | "normal" | "hard"; acceptsQuestion?: boolean; sessionId?: string } = {},
) => inTransaction(ctx, (inside) => takeCaptcha(inside, proof, { sessionId: SESSION, level: "normal", ...asked }));

const refusal = (businessCode: string) => expect.objectContaining({ businessCode, status: 422 });

describe("the challenge", () => {
  test("is in ALTCHA's form, and the work is what the level says", () => {
    const challenge = newChallenge({ sessionId: SESSION, level: "hard" });
    expect(challenge).toEqual({
      algorithm: "SHA-256",
      challenge: expect.stringMatching(/^[0-9a-f]{64}$/),
      maxnumber: MOST_HASHES.hard,
      salt: expect.stringContaining(`&session=${SESSION}&`),
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(MOST_HASHES).toEqual({ normal: 40_000, hard: 400_000 });
  });

  test("passes for its session, for five minutes", () => {
    const at = new Date("2026-11-20T12:00:00Z");
    const token = solved(newChallenge({ sessionId: SESSION, level: "normal" }, at));
    expect(checkSolution(token, SESSION, at)).toMatchObject({ level: "normal" });
    expect(checkSolution(token, SESSION, addSeconds(at, 300))).toBeDefined();
    expect(checkSolution(token, SESSION, addSeconds(at, 301))).toBeUndefined();
    expect(checkSolution(token, OTHER_SESSION, at)).toBeUndefined();
  });

  test("no part of it can be changed, nor its salt be cut at another place", () => {
    const challenge = newChallenge({ sessionId: SESSION, level: "normal" });
    const { number } = JSON.parse(Buffer.from(solved(challenge), "base64").toString());
    for (const changes of [
      { number: number + 1 },
      { signature: "0".repeat(64) },
      { challenge: createHash("sha256").update(`${challenge.salt}0`).digest("hex"), number: 0 },
      { salt: challenge.salt.replace("normal", "hard") },
      { salt: challenge.salt.replace(/expires=\d{10}/, "expires=9999999999") },
      { salt: `${challenge.salt}${String(number)[0]}`, number: Number(String(number).slice(1) || 0) },
      { algorithm: "SHA-1" },
    ]) {
      expect(checkSolution(solved(challenge, changes), SESSION), JSON.stringify(changes)).toBeUndefined();
    }
  });

  test.each(["", "x", "e30=", "null", "W10=", "x".repeat(5_000), Buffer.from("[1]").toString("base64")])(
    "%s is worth nothing",
    (token) => expect(checkSolution(token, SESSION)).toBeUndefined(),
  );
});

describe("a payment with a captcha", () => {
  let ctx: Context;
  beforeAll(async () => {
    ctx = await (await openClient({ mode: "live" })).context();
  });

  test("needs none unless one is asked", async () => {
    await take(ctx, await present(null), { level: "none" });
  });

  test("is refused without a token, and with one that is worth nothing", async () => {
    await expect(take(ctx, await present(null))).rejects.toEqual(refusal("captcha_required"));
    await expect(take(ctx, await present("anything"))).rejects.toEqual(refusal("captcha_invalid"));
  });

  test("takes a solution once, also from twenty at the same time", async () => {
    const proof = await present(solved(newChallenge({ sessionId: SESSION, level: "normal" })));
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => take(ctx, proof)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(take(ctx, proof)).rejects.toEqual(refusal("captcha_invalid"));
  });

  test("what is rolled back has used nothing", async () => {
    const proof = await present(solved(newChallenge({ sessionId: SESSION, level: "normal" })));
    const refused = inTransaction(ctx, async (inside) => {
      await takeCaptcha(inside, proof, { sessionId: SESSION, level: "normal" });
      throw new Error("refused for another reason");
    });
    await expect(refused).rejects.toThrow("another reason");
    await take(ctx, proof);
  });

  test("wants the hard one when that is asked, and takes it for the normal one", async () => {
    const easy = await present(solved(newChallenge({ sessionId: SESSION, level: "normal" })));
    await expect(take(ctx, easy, { level: "hard" })).rejects.toEqual(refusal("captcha_invalid"));
    const hard = await present(solved(newChallenge({ sessionId: SESSION, level: "hard" })));
    await take(ctx, hard, { level: "normal" });
  });

  test("a proof of one link is none of another's", async () => {
    const proof = await present(solved(newChallenge({ sessionId: SESSION, level: "normal" })));
    await expect(take(ctx, proof, { sessionId: OTHER_SESSION })).rejects.toEqual(refusal("captcha_invalid"));
  });

  test("sandbox-ok passes on sandbox accounts alone, as often as wanted", async () => {
    const sandbox = await readCaptcha({
      token: "sandbox-ok",
      sessionId: SESSION,
      account: { mode: "sandbox" },
      ip: undefined,
    });
    await take(ctx, sandbox, { level: "hard" });
    await take(ctx, sandbox, { level: "hard" });
    await expect(take(ctx, await present("sandbox-ok"))).rejects.toEqual(refusal("captcha_invalid"));
  });

  test("used challenges are forgotten once they are too old to be used", async () => {
    const token = solved(newChallenge({ sessionId: SESSION, level: "normal" }));
    await take(ctx, await present(token));
    await sweepCaptchas();
    await expect(take(ctx, await present(token))).rejects.toEqual(refusal("captcha_invalid"));
    await sweepCaptchas(addSeconds(realNow(), 86_400));
  });
});

describe("the question in words", () => {
  const WORDS = ["um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove"];
  const ask = (at?: Date) => {
    const { text, signed } = newQuestion({ sessionId: SESSION, locale: "pt-BR" }, at);
    const [, first = "", second = ""] = /^Quanto é (\S+) mais (\S+)\?$/.exec(text) ?? [];
    return { signed, sum: WORDS.indexOf(first) + WORDS.indexOf(second) + 2 };
  };

  test("is asked in both languages and its field does not tell the answer", () => {
    expect(newQuestion({ sessionId: SESSION, locale: "en" }).text).toMatch(/^What is [a-z]+ plus [a-z]+\?$/);
    const { signed, sum } = ask();
    expect(signed.split(".")).not.toContain(String(sum));
  });

  test("takes digits and words, with and without accents", () => {
    const at = realNow();
    for (let i = 0; i < 40; i++) {
      const { signed, sum } = ask(at);
      expect(checkAnswer(questionToken(signed, ` ${sum} `), SESSION, at)).toBeDefined();
      expect(checkAnswer(questionToken(signed, String(sum + 1)), SESSION, at)).toBeUndefined();
      if (sum === 3) expect(checkAnswer(questionToken(signed, "TRES"), SESSION, at)).toBeDefined();
      if (sum === 11) expect(checkAnswer(questionToken(signed, "eleven"), SESSION, at)).toBeDefined();
      if (sum === 14) expect(checkAnswer(questionToken(signed, "quatorze"), SESSION, at)).toBeDefined();
    }
  });

  test("ends after five minutes and belongs to its link", () => {
    const at = realNow();
    const { signed, sum } = ask(at);
    const token = questionToken(signed, String(sum));
    expect(checkAnswer(token, OTHER_SESSION, at)).toBeUndefined();
    expect(checkAnswer(token, SESSION, addSeconds(at, 301))).toBeUndefined();
    expect(checkAnswer(questionToken(signed.replace(/\.\d+\./, ".9999999999999."), String(sum)), SESSION, at)).toBe(
      undefined,
    );
    expect(checkAnswer(questionToken("x", "1"), SESSION, at)).toBeUndefined();
  });

  test("opens Pix and boleto of the page, once, and nothing else", async () => {
    const ctx = await (await openClient({ mode: "live" })).context();
    const { signed, sum } = ask();
    const proof = await present(questionToken(signed, String(sum)));
    await expect(take(ctx, proof)).rejects.toEqual(refusal("captcha_invalid"));
    await take(ctx, proof, { acceptsQuestion: true });
    await expect(take(ctx, proof, { acceptsQuestion: true })).rejects.toEqual(refusal("captcha_invalid"));
  });

  test("is answered five times an hour from one address", async () => {
    const at = realNow();
    const ip = "198.51.100.9";
    for (let i = 0; i < ANSWERS_PER_HOUR; i++) expect(await mayAnswer(ip, { at, factor: 1 })).toBe(true);
    expect(await mayAnswer(ip, { at, factor: 1 })).toBe(false);
    expect(await mayAnswer("198.51.100.10", { at, factor: 1 })).toBe(true);
    expect(await mayAnswer(ip, { at: addSeconds(at, 3_601), factor: 1 })).toBe(true);
  });
});

describe("a captcha service", () => {
  let server: Server;
  let port: number;
  let answer: { status: number; body: unknown };
  let asked: { url: string; body: string }[];
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        asked.push({ url: request.url ?? "", body });
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // Guarantee: it listens on a TCP port.
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const vouched = () => ({
    success: true,
    hostname: "captcha.shop.example",
    action: "pay",
    cdata: SESSION,
    challenge_ts: realNow().toISOString(),
  });
  beforeEach(() => {
    asked = [];
    answer = { status: 200, body: vouched() };
  });
  const setup = (provider: "turnstile" | "hcaptcha"): ServiceSetup => ({
    provider,
    siteKey: "site",
    secret: "shh",
    frameOrigin: "https://captcha.shop.example",
  });
  const transport = (to: number) =>
    createHttpTransport({ baseUrl: `http://127.0.0.1:${to}`, allowedHosts: ["127.0.0.1"], allowPlainHttp: true });
  const read = (provider: "turnstile" | "hcaptcha", token = newId(), to = port) =>
    readCaptcha(
      { token, sessionId: SESSION, account: LIVE, ip: "203.0.113.7" },
      { setup: setup(provider), transport: transport(to) },
    );

  test("Turnstile is asked with the secret and the address", async () => {
    expect(await read("turnstile", "the-token")).toMatchObject({ kind: "solved", level: "hard" });
    expect(asked[0]?.url).toBe("/turnstile/v0/siteverify");
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
      secret: "shh",
      response: "the-token",
      remoteip: "203.0.113.7",
    });
  });

  test("hCaptcha is asked by form, with the site's key", async () => {
    const { action: _, cdata: __, ...body } = vouched();
    answer.body = body;
    expect(await read("hcaptcha", "the-token")).toMatchObject({ kind: "solved" });
    expect(asked[0]).toEqual({
      url: "/siteverify",
      body: "secret=shh&response=the-token&sitekey=site&remoteip=203.0.113.7",
    });
  });

  test.each([
    ["no success", { success: false, "error-codes": ["invalid-input-response"] }],
    ["another hostname", { hostname: "evil.example" }],
    ["no hostname", { hostname: undefined }],
    ["another action", { action: "login" }],
    ["another link", { cdata: OTHER_SESSION }],
    ["an old answer", { challenge_ts: new Date(realNow().getTime() - 301_000).toISOString() }],
    ["no moment", { challenge_ts: undefined }],
  ])("%s is refused", async (_, changes) => {
    answer.body = { ...vouched(), ...changes };
    expect(await read("turnstile")).toEqual({ kind: "worthless" });
  });

  test.each([
    [500, {}],
    [429, {}],
    [302, {}],
    [200, "<html>"],
    [200, []],
    [200, ""],
  ])("an answer %i %j of the service lets nobody through", async (status, body) => {
    answer = { status, body };
    expect(await read("turnstile")).toEqual({ kind: "worthless" });
  });

  test("a service that is down lets nobody through", async () => {
    expect(await read("turnstile", newId(), 1)).toEqual({ kind: "worthless" });
  });

  test("a token is used once here, even if the service says yes twice", async () => {
    const ctx = await (await openClient({ mode: "live" })).context();
    const [first, second] = [await read("hcaptcha", "same"), await read("hcaptcha", "same")];
    await take(ctx, first, { level: "hard" });
    await expect(take(ctx, second)).rejects.toEqual(refusal("captcha_invalid"));
  });
});
