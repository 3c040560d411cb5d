import { describe, expect, test } from "vitest";
import { z } from "zod";
import { systemSql } from "@/db/client";
import { createEmbeddedEngine } from "@/lib/engine/embedded/engine";
import { charged, runsOf, start, unique } from "@/lib/engine/embedded/testing-harness";
import { cron, eventType, workflow } from "@/lib/engine/workflow";
import { newId } from "@/lib/ids";

const sql = systemSql();

describe("waiting for an event", () => {
  const waiting = (made: ReturnType<typeof charged>, id: string) => {
    const settled = eventType(`${unique()}/charge.settled`, z.object({ chargeId: z.string(), status: z.string() }));
    const flow = workflow({ id, triggers: made }, async ({ step }) => {
      const answer = await step.waitForEvent("settled", { event: settled, match: "data.chargeId", timeout: "1h" });
      return answer && { status: answer.data.status, name: answer.name };
    });
    return { settled, flow };
  };

  test("goes on with the event that has the same value, and with no other", async () => {
    const made = charged();
    const id = unique();
    const { settled, flow } = waiting(made, id);
    const engine = start([flow]);
    await engine.send([made.create({ chargeId: "a" }), made.create({ chargeId: "b" })]);
    await engine.drain();
    await engine.send([settled.create({ chargeId: "c", status: "paid" })]);
    expect(await engine.drain()).toBe(0);
    await engine.send([settled.create({ chargeId: "b", status: "declined" })]);
    await engine.send([settled.create({ chargeId: "b", status: "paid" })]);
    expect(await engine.drain()).toBe(1);
    expect((await runsOf(id)).filter((run) => run.status === "completed")).toEqual([
      { status: "completed", output: { status: "declined", name: settled.name } },
    ]);
    await engine.later(3_600);
    expect((await runsOf(id)).map((run) => run.output)).toContain(null);
    const [left] = await sql`select count(*)::int as waits from engine_waits where event = ${settled.name}`;
    expect(left).toEqual({ waits: 0 });
  });

  test("an event sent again, after the wait it answered, answers no later wait", async () => {
    const made = charged();
    const id = unique();
    const { settled, flow } = waiting(made, id);
    const engine = start([flow]);
    const event = settled.create({ chargeId: "a", status: "paid" }, { id: newId() });
    await engine.send([event]);
    await engine.send([made.create({ chargeId: "a" })]);
    await engine.drain();
    await engine.send([event]);
    expect(await engine.drain()).toBe(0);
  });

  test("loses no wake-up that comes while the run is at work on another branch", async () => {
    const made = charged();
    const settled = eventType(`${unique()}/charge.settled`, z.object({ chargeId: z.string() }));
    const id = unique();
    const engine = start([
      workflow({ id, triggers: made }, async ({ step }) => {
        const answered = step.waitForEvent("settled", { event: settled, match: "data.chargeId", timeout: "30d" });
        const busy = step.run("meanwhile", async () => {
          await expect.poll(() => sql`select 1 from engine_waits where event = ${settled.name}`).toHaveLength(1);
          await engine.send([settled.create({ chargeId: "a" })]);
        });
        const [answer] = await Promise.all([answered, busy]);
        return answer?.data;
      }),
    ]);
    await engine.send([made.create({ chargeId: "a" })]);
    await engine.drain();
    expect(await runsOf(id)).toEqual([{ status: "completed", output: { chargeId: "a" } }]);
  });
});

describe("sending from a step", () => {
  test("starts the other run in the transaction of the step, once", async () => {
    const made = charged();
    const paid = eventType(`${unique()}/charge.paid`, z.object({ chargeId: z.string() }));
    const [first, second] = [unique(), unique()];
    const engine = start([
      workflow({ id: first, triggers: made }, async ({ event, step }) => {
        await step.sendEvent("tell", paid.create({ chargeId: event.data.chargeId }));
        await step.sleep("more", 60);
        await step.sendEvent("tell nobody", []);
      }),
      workflow({ id: second, triggers: paid }, async ({ event }) => event.data.chargeId),
    ]);
    await engine.send([made.create({ chargeId: "c9" })]);
    await engine.drain();
    await engine.later(60);
    expect(await runsOf(second)).toEqual([{ status: "completed", output: "c9" }]);
    expect(await runsOf(first)).toEqual([{ status: "completed", output: null }]);
  });
});

describe("a cron", () => {
  test("fires on its own wall clock, once for all the moments that were missed", async () => {
    const id = unique();
    const daily = workflow(
      { id, triggers: cron("0 9 * * *", "America/Sao_Paulo") },
      async ({ event }) => event.data.cron,
    );
    const engine = start([daily]);
    const rival = createEmbeddedEngine({ sql, workflows: [daily], clock: engine.clock });
    engine.clock.set(new Date("2026-03-02T11:59:00Z"));
    await engine.drain();
    expect(await engine.nextWakeAt()).toEqual(new Date("2026-03-02T12:00:00Z"));
    engine.clock.set(new Date("2026-03-02T12:00:00Z"));
    await Promise.all([engine.drain(), rival.drain()]);
    expect(await runsOf(id)).toEqual([{ status: "completed", output: "0 9 * * *" }]);
    engine.clock.set(new Date("2026-03-06T12:00:01Z"));
    await engine.drain();
    expect(await runsOf(id)).toHaveLength(2);
    expect(await engine.nextWakeAt()).toEqual(new Date("2026-03-07T12:00:00Z"));
  });

  test("is planned again when the engine's tables were emptied", async () => {
    const id = unique();
    const engine = start([workflow({ id, triggers: cron("*/5 * * * *", "UTC") }, async () => null)]);
    await engine.drain();
    await sql`delete from engine_crons where workflow = ${id}`;
    await engine.drain();
    await engine.later(300);
    expect(await runsOf(id)).toHaveLength(1);
  });
});
