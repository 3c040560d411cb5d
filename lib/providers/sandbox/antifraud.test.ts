import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import type { AnalysisCall, Suspect } from "@/lib/providers/antifraud";
import { sandboxAntifraud } from "@/lib/providers/sandbox/antifraud";
import { inProcessTransport } from "@/lib/providers/sandbox/transport";
import { secretOf } from "@/lib/providers/secret";
import { SANDBOX_BRANDS, SANDBOX_OUTCOMES, sandboxPan } from "@/lib/reference/sandbox-pans";
import { addSeconds, realNow } from "@/lib/time";

const provider = sandboxAntifraud(inProcessTransport());
const NOW = new Date("2026-11-24T15:00:00.000Z");
const nothing = () => undefined;

const aCall = (changes: Partial<AnalysisCall> = {}): AnalysisCall => ({
  reference: `${randomUUID()}-1`,
  clientId: randomUUID(),
  providerId: randomUUID(),
  chargeId: randomUUID(),
  options: { productType: "SYNC" },
  publicUrl: "https://pay.example",
  credentials: secretOf({ apiKey: "any" }),
  host: "test",
  deadline: addSeconds(realNow(), 5),
  signal: AbortSignal.timeout(5_000),
  clock: { now: () => NOW },
  log: { info: nothing, warn: nothing },
  ...changes,
});
const shown = (pan: string) => ({ brand: "visa", bin: pan.slice(0, 8), last4: pan.slice(-4), holderName: "ANA" });
const suspect = (identity?: string, changes: Partial<Suspect> = {}): Suspect => ({
  amount: 100,
  installments: 1,
  fraudAnalysis: identity === undefined ? {} : { customer: { identity } },
  card: shown("4111111111111111"),
  ...changes,
});
const analyse = (given: Suspect, changes: Partial<AnalysisCall> = {}) => provider.analyse(aCall(changes), given);
const under = (scenario: string) => ({ simulation: { scenario } });
const at = (seconds: number) => ({ clock: { now: () => addSeconds(NOW, seconds) } });

describe("the simulated fraud provider", () => {
  test.each([
    [undefined, "approved"],
    ["", "approved"],
    ["111.111.111-20", "pending"],
    ["1", "approved"],
    ["12", "failed"],
    ["3", "reproved"],
    ["9", "reproved"],
  ])("an identity of %j is %s", async (identity, kind) => {
    expect((await analyse(suspect(identity))).kind).toBe(kind);
  });

  test("a failure is a time-out or an error, by the charge", async () => {
    const verdicts = await Promise.all(Array.from({ length: 16 }, () => analyse(suspect("2"))));
    const failures = verdicts.map((verdict) => "failure" in verdict && verdict.failure);
    expect(new Set(failures)).toEqual(new Set(["timeout", "processing_error"]));
  });

  test.each([
    ["outcome=410", "approved"],
    ["outcome=411", "reproved"],
  ])("under %s it is pending, and %s after the delay", async (scenario, end) => {
    const call = aCall(under(scenario));
    const nextEventAt = "2026-11-24T15:00:05.000Z";
    expect(await provider.analyse(call, suspect())).toMatchObject({ kind: "pending", nextEventAt });
    expect(await provider.query({ ...call, ...at(4) })).toMatchObject({ kind: "pending", nextEventAt });
    expect((await provider.query({ ...call, ...at(5) })).kind).toBe(end);
  });

  test("an asynchronous product says everything later, but what nobody decides", async () => {
    const call = aCall({ options: { productType: "ASYNC" } });
    expect((await provider.analyse(call, suspect("3"))).kind).toBe("pending");
    expect((await provider.query({ ...call, ...at(5) })).kind).toBe("reproved");
    const open = aCall({ options: { productType: "ASYNC" } });
    await provider.analyse(open, suspect("0"));
    expect((await provider.query({ ...open, ...at(86_400) })).kind).toBe("pending");
  });

  test("before the charge it knows 410 and 411 of every brand by what is shown of them, and no other card", async () => {
    const ends = new Map([
      ["antifraud_review_approve", "approved"],
      ["antifraud_review_deny", "reproved"],
    ]);
    for (const brand of SANDBOX_BRANDS) {
      for (const outcome of SANDBOX_OUTCOMES) {
        const call = aCall();
        await provider.analyse(call, suspect("0", { card: shown(sandboxPan(outcome, brand)) }));
        expect((await provider.query({ ...call, ...at(5) })).kind, `${outcome} ${brand}`).toBe(
          ends.get(outcome) ?? "pending",
        );
      }
    }
  });

  test("the denied document comes first", async () => {
    const given = suspect("1", { buyerDocument: "111.111.111-11" });
    expect((await analyse(given, under("outcome=410"))).kind).toBe("reproved");
  });

  test("a reference is analysed once, however often it comes", async () => {
    const call = aCall();
    await provider.analyse(call, suspect("3"));
    expect((await provider.analyse(call, suspect("1"))).kind).toBe("reproved");
    expect(await provider.query(aCall())).toEqual({ kind: "not_found" });
    expect(await provider.query({ ...call, clientId: randomUUID() })).toEqual({ kind: "not_found" });
  });

  test.each([
    ["fault=drop_response;step=analysis", "undetermined", "approved"],
    ["fault=drop_request;step=analysis", "undetermined", "not_found"],
    ["fault=http_status;status=500;step=analysis", "undetermined", "not_found"],
    ["fault=http_status;status=429;step=analysis", "not_sent", "not_found"],
    ["fault=truncate;step=analysis", "undetermined", "approved"],
    ["fault=drop_response;step=capture", "approved", "approved"],
  ])("%s: %s, and then %s", async (scenario, kind, afterwards) => {
    const call = aCall(under(scenario));
    expect((await provider.analyse(call, suspect("1"))).kind).toBe(kind);
    expect((await provider.query(call)).kind).toBe(afterwards);
  });

  test("an answer that does not come in time is no verdict", async () => {
    const hasty = { deadline: addSeconds(realNow(), 0.1), signal: AbortSignal.timeout(100) };
    const call = aCall({ ...under("fault=delay;step=analysis"), ...hasty });
    expect(await provider.analyse(call, suspect("1"))).toEqual({ kind: "undetermined", cause: "timeout" });
  });

  test("is told the end", async () => {
    const call = aCall();
    await provider.analyse(call, suspect());
    for (const status of ["authorized", "charged_back"] as const) await provider.feed?.(call, status);
    const [row] = await systemSql()`select fed from sandbox_analyses where reference = ${call.reference}`;
    expect(row?.fed).toEqual(["authorized", "charged_back"]);
    await expect(provider.feed?.(aCall(), "authorized")).rejects.toThrow("not told");
  });
});
