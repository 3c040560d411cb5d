import { describe, expect, test } from "vitest";
import { z } from "zod";
import { NonRetriableError, RetryAfterError, StepError } from "@/lib/engine/errors";
import { cronEvent, DRIVERS } from "@/lib/engine/testing";
import { inngestConfigs, inngestServer, SIGNING_KEY, signature } from "@/lib/engine/testing-inngest";
import { cron, eventType, workflow } from "@/lib/engine/workflow";

const made = eventType("drivers/charge.made", z.object({ chargeId: z.string() }));
const settled = eventType("drivers/charge.settled", z.object({ chargeId: z.string(), status: z.string() }));
const charge = made.create({ chargeId: "c1" });
let count = 0;
const unique = () => `drivers-${++count}`;

describe.each(DRIVERS)("through %s", (_name, through) => {
  test("steps run in order, once each, and their results are what JSON keeps", async () => {
    const flow = workflow({ id: unique(), triggers: made }, async ({ event, step }) => {
      const first = await step.run("first", () => ({ at: new Date("2026-01-01T00:00:00Z"), none: undefined }));
      const second = await step.run("second", () => undefined);
      return { chargeId: event.data.chargeId, name: event.name, first, second };
    });
    expect(await through(flow, charge)).toEqual({
      status: "completed",
      output: { chargeId: "c1", name: made.name, first: { at: "2026-01-01T00:00:00.000Z" }, second: null },
      error: undefined,
      ran: ["first", "second"],
      sent: [],
      failure: undefined,
    });
  });

  test("parallel steps all run, and a repeated id is two steps", async () => {
    const flow = workflow({ id: unique(), triggers: made }, async ({ step }) => {
      const both = await Promise.all([step.run("left", () => "l"), step.run("right", async () => "r")]);
      return [...both, await step.run("left", () => "again")];
    });
    const trial = await through(flow, charge);
    expect(trial.output).toEqual(["l", "r", "again"]);
    expect(trial.ran.toSorted()).toEqual(["left", "left", "right"]);
  });

  test("sleeps end, by duration and by date, and no step runs again after them", async () => {
    const flow = workflow({ id: unique(), triggers: made }, async ({ step }) => {
      await step.run("before", () => null);
      await step.sleep("short", 0.2);
      await step.sleep("long", "2d");
      await step.sleepUntil("far", "2031-01-01T00:00:00Z");
      await step.sleepUntil("past", new Date("2001-01-01T00:00:00Z"));
      return step.run("after", () => "awake");
    });
    const trial = await through(flow, charge);
    expect(trial).toMatchObject({ status: "completed", output: "awake", ran: ["before", "after"] });
  });

  test("a sleep beside steps lets them go first", async () => {
    const flow = workflow({ id: unique(), triggers: made }, async ({ step }) => {
      const order: string[] = [];
      const branch = async () => {
        await step.run("one", () => null);
        await step.run("two", () => null);
        order.push("branch");
      };
      await Promise.all([step.sleep("long", "1d").then(() => order.push("sleep")), branch()]);
      return step.run("last", () => null);
    });
    expect(await through(flow, charge)).toMatchObject({ status: "completed", ran: ["one", "two", "last"] });
  });

  const waiting = (id: string) =>
    workflow({ id, triggers: made }, async ({ step }) => {
      const answer = await step.waitForEvent("settled", { event: settled, match: "data.chargeId", timeout: "1h" });
      return answer ? { name: answer.name, status: answer.data.status } : "nobody answered";
    });

  test("a wait goes on with the event of the same charge", async () => {
    const answers = { settled: settled.create({ chargeId: "c1", status: "paid" }) };
    const trial = await through(waiting(unique()), charge, { answers });
    expect(trial.output).toEqual({ name: settled.name, status: "paid" });
  });

  test("a wait is not answered by the event of another charge, and times out", async () => {
    const answers = { settled: settled.create({ chargeId: "other", status: "paid" }) };
    expect((await through(waiting(unique()), charge, { answers })).output).toBe("nobody answered");
    expect((await through(waiting(unique()), charge)).output).toBe("nobody answered");
  });

  test("a wait for a value that the event does not have fails at once", async () => {
    const flow = workflow({ id: unique(), triggers: made }, ({ step }) =>
      step.waitForEvent("nothing", { event: settled, match: "data.saleId", timeout: "1h" }),
    );
    expect(await through(flow, charge)).toMatchObject({ status: "failed", error: { name: "NonRetriableError" } });
  });

  test("events sent by a step carry ids of that step, so that sending again sends nothing new", async () => {
    const flow = workflow({ id: unique(), triggers: made }, async ({ event, step }) => {
      await step.sendEvent("tell", settled.create({ chargeId: event.data.chargeId, status: "paid" }));
      await step.sendEvent("tell", [settled.create({ chargeId: "c2", status: "paid" }, { id: "mine" })]);
      await step.sendEvent("tell nobody", []);
    });
    const trial = await through(flow, charge);
    expect(trial.status).toBe("completed");
    expect(trial.sent.map((event) => event.data)).toEqual([
      { chargeId: "c1", status: "paid" },
      { chargeId: "c2", status: "paid" },
    ]);
  });

  test("a failing step is tried again, alone, as often as its retries say", async () => {
    let failures = 0;
    const flow = workflow({ id: unique(), triggers: made, retries: 2 }, async ({ step }) => {
      await step.run("steady", () => null);
      await step.run("shaky", () => {
        failures += 1;
        if (failures === 1) throw new Error("not yet");
        if (failures === 2) throw new RetryAfterError("slow down", 30);
      });
      return step.run("after", () => "done");
    });
    const trial = await through(flow, charge);
    expect(trial).toMatchObject({ status: "completed", ran: ["steady", "shaky", "shaky", "shaky", "after"] });
  });

  test("a step out of attempts is thrown into the handler, which may catch it", async () => {
    const flow = workflow({ id: unique(), triggers: made, retries: 1 }, async ({ step }) => {
      try {
        await step.run("hopeless", () => {
          throw new RangeError("no");
        });
      } catch (thrown) {
        if (!(thrown instanceof StepError)) throw thrown;
        return step.run("instead", () => ({ stepId: thrown.stepId, name: thrown.name, message: thrown.message }));
      }
    });
    const trial = await through(flow, charge);
    expect(trial.output).toEqual({ stepId: "hopeless", name: "RangeError", message: "no" });
    expect(trial.ran).toEqual(["hopeless", "hopeless", "instead"]);
  });

  test("a step out of attempts that nobody catches ends the run without another try of the handler", async () => {
    const flow = workflow({ id: unique(), triggers: made, retries: 1 }, ({ step }) =>
      step.run("hopeless", () => {
        throw new Error("no");
      }),
    );
    const trial = await through(flow, charge);
    expect(trial).toMatchObject({ status: "failed", error: { message: "no" }, ran: ["hopeless", "hopeless"] });
  });

  test("a NonRetriableError fails its step at once", async () => {
    const flow = workflow({ id: unique(), triggers: made, retries: 5 }, ({ step }) =>
      step.run("refused", () => {
        throw new NonRetriableError("never");
      }),
    );
    const trial = await through(flow, charge);
    expect(trial).toMatchObject({ status: "failed", error: { message: "never" }, ran: ["refused"] });
  });

  test("a handler that throws outside steps is tried again over the same steps", async () => {
    let throws = 0;
    const flow = workflow({ id: unique(), triggers: made, retries: 2 }, async ({ step }) => {
      await step.run("kept", () => null);
      throws += 1;
      if (throws <= 2) throw new Error("broken");
      return "mended";
    });
    expect(await through(flow, charge)).toMatchObject({ status: "completed", output: "mended", ran: ["kept"] });
    expect(throws).toBe(3);
  });

  test("a workflow of one step runs it, tries it again and fails as any other", async () => {
    let tries = 0;
    const flow = workflow({ id: unique(), triggers: made, isOneStep: true, retries: 2 }, ({ step }) =>
      step.run("only", () => {
        tries += 1;
        if (tries < 3) throw new Error("not yet");
        return { at: new Date("2026-01-01T00:00:00Z") };
      }),
    );
    expect(await through(flow, charge)).toMatchObject({
      status: "completed",
      output: { at: "2026-01-01T00:00:00.000Z" },
      ran: ["only", "only", "only"],
    });
    const refused = workflow({ id: unique(), triggers: made, isOneStep: true, retries: 5 }, ({ step }) =>
      step.run("only", () => {
        throw new NonRetriableError("never");
      }),
    );
    expect(await through(refused, charge)).toMatchObject({
      status: "failed",
      error: { message: "never" },
      ran: ["only"],
    });
  });

  test("when a run has failed for good, onFailure runs with its event and its error, in steps of its own", async () => {
    const flow = workflow(
      {
        id: unique(),
        triggers: made,
        retries: 1,
        onFailure: async ({ event, error, failedRunId, step }) => {
          await step.sleep("calm down", 5);
          return step.run("tell", () => ({
            chargeId: event.data.chargeId,
            error: error.message,
            hasRunId: failedRunId.length > 0,
          }));
        },
      },
      async () => {
        throw new Error("broken");
      },
    );
    const trial = await through(flow, charge);
    expect(trial).toMatchObject({ status: "failed", error: { name: "Error", message: "broken" } });
    expect(trial.failure).toMatchObject({
      status: "completed",
      output: { chargeId: "c1", error: "broken", hasRunId: true },
      ran: ["tell"],
    });
  });

  test("an event that the schema refuses fails the run at once", async () => {
    const flow = workflow({ id: unique(), triggers: made }, async () => "never reached");
    const trial = await through(flow, { name: made.name, data: { chargeId: 7 } });
    expect(trial).toMatchObject({ status: "failed", error: { name: "NonRetriableError" } });
  });

  test("a cron starts the workflow with the expression that fired", async () => {
    const flow = workflow(
      { id: unique(), triggers: cron("0 9 * * 1-5", "America/Sao_Paulo") },
      async ({ event, step }) => step.run("tell", () => ({ name: event.name, cron: event.data.cron })),
    );
    const trial = await through(flow, cronEvent(flow));
    expect(trial.output).toEqual({ name: "engine/cron.fired", cron: "0 9 * * 1-5" });
  });
});

describe("registered with Inngest", () => {
  const flow = workflow(
    {
      id: "registered",
      triggers: [made, cron("*/5 * * * *", "America/Sao_Paulo")],
      concurrency: { key: "event.data.chargeId", limit: 1, limitOfInngest: 3 },
      retries: 7,
      onFailure: async () => null,
    },
    async () => null,
  );

  test("a workflow keeps its triggers, time zone, concurrency key, retries and onFailure", async () => {
    const [config, failure] = await inngestConfigs([flow]);
    expect(config).toMatchObject({
      id: "trilho-registered",
      triggers: [{ event: made.name }, { cron: "TZ=America/Sao_Paulo */5 * * * *" }],
      concurrency: [{ limit: 3, key: "event.data.chargeId" }],
      steps: { step: { retries: { attempts: 7 } } },
    });
    expect(failure).toMatchObject({
      id: "trilho-registered-failure",
      triggers: [{ event: "inngest/function.failed" }],
    });
  });

  test("when to try again is told as a full second, never before the time that was asked for", async () => {
    const busy = workflow({ id: "busy", triggers: made, isOneStep: true }, async () => {
      throw new RetryAfterError("slow down", 2.4);
    });
    const event = { id: "busy-1", name: made.name, data: { chargeId: "c" } };
    const body = { version: 2, event, events: [event], steps: {}, ctx: { run_id: "r", attempt: 0 } };
    const before = Date.now();
    const query = { fnId: "trilho-busy", stepId: "step" };
    const { retryAfter } = await inngestServer([busy]).call({ method: "POST", query, body });
    const at = Date.parse(retryAfter ?? "");
    expect(at % 1_000).toBe(0);
    expect(at).toBeGreaterThanOrEqual(before + 2_400);
  });

  test("no call is served without a right signature", async () => {
    const server = inngestServer([flow]);
    const body = { url: "https://trilho.test/api/inngest" };
    const run = { version: 2, event: charge, events: [charge], steps: {}, ctx: { run_id: "r", attempt: 0 } };
    const query = { fnId: "trilho-registered", stepId: "step" };
    for (const wrong of [null, signature(run, "signkey-test-00"), signature({}, SIGNING_KEY), "t=1&s=00"]) {
      expect((await server.call({ method: "POST", query, body: run, signature: wrong })).status).toBe(401);
      expect((await server.call({ method: "PUT", body, signature: wrong })).status).toBe(401);
      expect((await server.call({ method: "GET", signature: wrong })).status).toBe(401);
    }
    expect((await server.call({ method: "POST", query, body: run })).status).toBe(200);
  });

  test("a workflow of one step costs one call", async () => {
    const short = workflow({ id: "short", triggers: made, isOneStep: true }, ({ step }) => step.run("only", () => 7));
    const server = inngestServer([short]);
    const ctx = { run_id: "r", attempt: 0, stack: { stack: [], current: 0 } };
    const body = { version: 2, event: charge, events: [charge], steps: {}, ctx };
    const reply = await server.call({ method: "POST", query: { fnId: "trilho-short", stepId: "step" }, body });
    expect(reply).toMatchObject({ status: 200, body: 7 });
  });

  test("while a key is rotated both are taken, and a call counts only with one of them", async () => {
    let calls = 0;
    const fallback = `signkey-test-${"0ddba11".repeat(8)}`;
    const server = inngestServer([flow], { signingKeyFallback: fallback, onCall: () => (calls += 1) });
    const body = { version: 2, event: charge, events: [charge], steps: {}, ctx: { run_id: "r", attempt: 0 } };
    const query = { fnId: "trilho-registered", stepId: "step" };
    const call = (key: string) => server.call({ method: "POST", query, body, signature: signature(body, key) });
    expect((await call(fallback)).status).toBe(200);
    expect((await call(SIGNING_KEY)).status).toBe(200);
    expect((await call("signkey-test-00")).status).toBe(401);
    expect(calls).toBe(2);
  });

  test("what the server answers to a registration and to events is told as a fault", async () => {
    const answering = (status: number) => inngestServer([flow], { fetch: async () => new Response("{}", { status }) });
    const away = inngestServer([flow], { fetch: () => Promise.reject(new TypeError("fetch failed")) });
    const origin = "http://trilho.test";
    const events = [made.create({ chargeId: "c1" })];
    await expect(answering(401).driver.register(origin)).rejects.toMatchObject({ fault: "signing_key" });
    await expect(answering(500).driver.register(origin)).rejects.toMatchObject({ fault: "refused" });
    await expect(away.driver.register(origin)).rejects.toMatchObject({ fault: "unreachable" });
    await expect(answering(401).driver.send(events)).rejects.toMatchObject({ fault: "event_key" });
    await expect(away.driver.send(events)).rejects.toMatchObject({ fault: "unreachable" });
  });

  test("events go out with their ids, so that Inngest drops a repeated one", async () => {
    const server = inngestServer([flow]);
    await server.driver.send([{ id: "outbox-1", name: made.name, data: { chargeId: "c1" } }]);
    expect(server.received).toMatchObject([{ id: "outbox-1", name: made.name, data: { chargeId: "c1" } }]);
  });

  test("what a step sends reaches Inngest with ids derived from the step", async () => {
    const sender = workflow({ id: "sender", triggers: made }, ({ step }) =>
      step.sendEvent("tell", [settled.create({ chargeId: "c1", status: "paid" }), made.create({ chargeId: "c2" })]),
    );
    const server = inngestServer([sender]);
    const ctx = { run_id: "run-1", attempt: 0, stack: { stack: [], current: 0 } };
    const query = { fnId: "trilho-sender", stepId: "step" };
    const body = { version: 2, event: charge, events: [charge], steps: {}, ctx };
    await server.call({ method: "POST", query, body });
    await server.call({ method: "POST", query, body });
    expect(server.received.map((event) => (event as { id: string }).id)).toEqual([
      "run-1:tell:0",
      "run-1:tell:1",
      "run-1:tell:0",
      "run-1:tell:1",
    ]);
  });
});
