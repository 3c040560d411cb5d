import { describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { charged, runsOf, start, unique } from "@/lib/engine/embedded/testing-harness";
import { NonRetriableError, RetryAfterError, StepError } from "@/lib/engine/errors";
import { workflow } from "@/lib/engine/workflow";
import { newId } from "@/lib/ids";

const sql = systemSql();

describe("a run", () => {
  test("plays its steps once each and keeps what the handler returns, as JSON keeps it", async () => {
    const made = charged();
    const calls: string[] = [];
    const id = unique();
    const paid = workflow({ id, triggers: made }, async ({ event, step }) => {
      const first = await step.run("first", () => {
        calls.push("first");
        return { at: new Date("2026-01-01T00:00:00Z"), nothing: undefined };
      });
      const second = await step.run("second", async () => {
        calls.push("second");
      });
      return { chargeId: event.data.chargeId, first, second };
    });
    const engine = start([paid]);
    await engine.send([made.create({ chargeId: "c1" })]);
    await engine.drain();
    expect(calls).toEqual(["first", "second"]);
    expect(await runsOf(id)).toEqual([
      { status: "completed", output: { chargeId: "c1", first: { at: "2026-01-01T00:00:00.000Z" }, second: null } },
    ]);
    expect(engine.errors).toEqual([]);
  });

  test("starts once however often the same event is sent", async () => {
    const made = charged();
    const id = unique();
    const engine = start([workflow({ id, triggers: made }, async () => null)]);
    const event = made.create({ chargeId: "c1" }, { id: newId() });
    await engine.send([event, event]);
    await engine.send([event]);
    await Promise.all([engine.send([event]), engine.send([event])]);
    await engine.drain();
    await engine.send([event]);
    expect(await engine.drain()).toBe(0);
    expect(await runsOf(id)).toHaveLength(1);
  });

  test("exists only if the transaction that sent its event commits", async () => {
    const made = charged();
    const id = unique();
    const engine = start([workflow({ id, triggers: made }, async () => null)]);
    const refuse = sql.begin(async (tx) => {
      await engine.send([made.create({ chargeId: "c1" })], tx);
      throw new Error("changed my mind");
    });
    await expect(refuse).rejects.toThrow("changed my mind");
    expect(await runsOf(id)).toEqual([]);
    await sql.begin((tx) => engine.send([made.create({ chargeId: "c1" })], tx));
    expect(await runsOf(id)).toEqual([{ status: "active", output: null }]);
  });

  test("gives a repeated step id an index of its own", async () => {
    const made = charged();
    const id = unique();
    const engine = start([
      workflow({ id, triggers: made }, async ({ step }) => [
        await step.run("again", () => 1),
        await step.run("again", () => 2),
      ]),
    ]);
    await engine.send([made.create({ chargeId: "c1" })]);
    await engine.drain();
    expect(await runsOf(id)).toEqual([{ status: "completed", output: [1, 2] }]);
  });

  test("fails at once when its event does not fit the schema", async () => {
    const made = charged();
    const id = unique();
    const engine = start([workflow({ id, triggers: made }, async () => null)]);
    await engine.send([{ name: made.name, data: { chargeId: 7 } }]);
    await engine.drain();
    expect(await runsOf(id)).toEqual([{ status: "failed", output: null, error: expect.stringContaining("schema") }]);
  });
});

describe("a sleep", () => {
  test("parks the run until its time, and the steps before it are not run again", async () => {
    const made = charged();
    const id = unique();
    const calls: string[] = [];
    const engine = start([
      workflow({ id, triggers: made }, async ({ step }) => {
        await step.run("before", () => calls.push("before"));
        await step.sleep("a while", "15m");
        await step.sleepUntil("noon", "2026-03-03T12:00:00Z");
        await step.run("after", () => calls.push("after"));
      }),
    ]);
    await engine.send([made.create({ chargeId: "c1" })]);
    await engine.drain();
    expect(await engine.later(899)).toBe(0);
    expect(await engine.nextWakeAt()).toEqual(new Date("2026-03-02T12:15:00Z"));
    expect(await engine.later(1)).toBe(1);
    expect(calls).toEqual(["before"]);
    engine.clock.set(new Date("2026-03-03T12:00:00Z"));
    await engine.drain();
    expect(calls).toEqual(["before", "after"]);
    expect(await runsOf(id)).toEqual([{ status: "completed", output: null }]);
  });

  test("beside another branch does not hold that branch up", async () => {
    const made = charged();
    const id = unique();
    const calls: string[] = [];
    const engine = start([
      workflow({ id, triggers: made }, async ({ step }) => {
        const branch = async () => {
          await step.run("one", () => calls.push("one"));
          await step.run("two", () => calls.push("two"));
        };
        await Promise.all([step.sleep("long", "1d"), branch()]);
        return "both";
      }),
    ]);
    await engine.send([made.create({ chargeId: "c1" })]);
    await engine.drain();
    expect(calls).toEqual(["one", "two"]);
    await engine.later(86_400);
    expect(calls).toEqual(["one", "two"]);
    expect(await runsOf(id)).toEqual([{ status: "completed", output: "both" }]);
  });
});

describe("a failing step", () => {
  test("is tried again after each back-off, alone, and the run then goes on", async () => {
    const made = charged();
    const id = unique();
    const calls: string[] = [];
    const engine = start([
      workflow({ id, triggers: made, retries: 3 }, async ({ step }) => {
        await step.run("steady", () => calls.push("steady"));
        return step.run("shaky", () => {
          calls.push("shaky");
          if (calls.length < 4) throw new Error("not yet");
          return "at last";
        });
      }),
    ]);
    await engine.send([made.create({ chargeId: "c1" })]);
    await engine.drain();
    expect(await engine.later(14)).toBe(0);
    expect(await engine.later(1)).toBe(1);
    expect(await engine.later(29)).toBe(0);
    expect(await engine.later(1)).toBe(1);
    expect(calls).toEqual(["steady", "shaky", "shaky", "shaky"]);
    expect(await runsOf(id)).toEqual([{ status: "completed", output: "at last" }]);
  });

  test("waits as long as a RetryAfterError says", async () => {
    const made = charged();
    const id = unique();
    let calls = 0;
    const engine = start([
      workflow({ id, triggers: made }, ({ step }) =>
        step.run("limited", () => {
          calls += 1;
          if (calls === 1) throw new RetryAfterError("too many requests", 100);
          if (calls === 2) throw new RetryAfterError("closed", new Date("2026-03-02T13:00:00Z"));
        }),
      ),
    ]);
    await engine.send([made.create({ chargeId: "c1" })]);
    await engine.drain();
    expect(await engine.later(99)).toBe(0);
    expect(await engine.later(1)).toBe(1);
    expect(await engine.nextWakeAt()).toEqual(new Date("2026-03-02T13:00:00Z"));
    engine.clock.set(new Date("2026-03-02T13:00:00Z"));
    await engine.drain();
    expect(calls).toBe(3);
  });

  test("that has used up its attempts is thrown into the handler, which may catch it", async () => {
    const made = charged();
    const id = unique();
    let calls = 0;
    const engine = start([
      workflow({ id, triggers: made, retries: 1 }, async ({ step }) => {
        try {
          await step.run("hopeless", () => {
            calls += 1;
            throw new RangeError("no");
          });
        } catch (thrown) {
          if (!(thrown instanceof StepError)) throw thrown;
          return { stepId: thrown.stepId, name: thrown.name, message: thrown.message };
        }
      }),
    ]);
    await engine.send([made.create({ chargeId: "c1" })]);
    await engine.drain();
    await engine.later(15);
    expect(calls).toBe(2);
    expect(await runsOf(id)).toEqual([
      { status: "completed", output: { stepId: "hopeless", name: "RangeError", message: "no" } },
    ]);
  });

  test("with a NonRetriableError is not tried again and ends the run", async () => {
    const made = charged();
    const id = unique();
    let calls = 0;
    const engine = start([
      workflow({ id, triggers: made }, ({ step }) =>
        step.run("refused", () => {
          calls += 1;
          throw new NonRetriableError("never");
        }),
      ),
    ]);
    await engine.send([made.create({ chargeId: "c1" })]);
    await engine.drain();
    await engine.later(3_600);
    expect(calls).toBe(1);
    expect(await runsOf(id)).toEqual([{ status: "failed", output: null, error: "never" }]);
  });

  test("whose result is no JSON fails like any other", async () => {
    const made = charged();
    const id = unique();
    const engine = start([
      workflow({ id, triggers: made, retries: 0 }, ({ step }) => step.run("big", () => ({ amount: 1n }))),
    ]);
    await engine.send([made.create({ chargeId: "c1" })]);
    await engine.drain();
    expect(await runsOf(id)).toEqual([{ status: "failed", output: null, error: expect.stringContaining("BigInt") }]);
  });
});

describe("a handler that throws outside its steps", () => {
  test("is tried again with back-off over the same steps, then fails, and onFailure runs as a run of its own", async () => {
    const made = charged();
    const id = unique();
    const calls: string[] = [];
    const engine = start([
      workflow(
        {
          id,
          triggers: made,
          retries: 2,
          onFailure: async ({ event, error, failedRunId, step }) => {
            await step.sleep("calm down", 5);
            return step.run("tell", () => ({
              of: event.data.chargeId,
              error: error.message,
              known: failedRunId.length,
            }));
          },
        },
        async ({ step }) => {
          await step.run("kept", () => calls.push("kept"));
          calls.push("thrown");
          throw new Error("broken");
        },
      ),
    ]);
    await engine.send([made.create({ chargeId: "c1" })]);
    await engine.drain();
    expect(await engine.later(15)).toBe(1);
    expect(await engine.later(30)).toBe(2);
    expect(calls).toEqual(["kept", "thrown", "thrown", "thrown"]);
    expect(await runsOf(id)).toEqual([{ status: "failed", output: null, error: "broken" }]);
    await engine.later(5);
    expect(await runsOf(`${id}-failure`)).toEqual([
      { status: "completed", output: { of: "c1", error: "broken", known: 36 } },
    ]);
  });
});
