import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { NonRetriableError, RetryAfterError } from "@/lib/engine/errors";
import { cron, eventType, workflow } from "@/lib/engine/workflow";
import { newId } from "@/lib/ids";
import {
  EVENT_KEY,
  type InngestServer,
  openInngestServer,
  SERVER_SIGNING_KEY,
  type ServedApp,
  serveWorkflows,
} from "@/lib/testing/inngest-server";
import { leftOutIf } from "@/lib/testing/left-out";
import { pause } from "@/lib/wait";
import { checkEngineKeys } from "@/scripts/checks/engine";

/** The workflows' own driver on a server built from Inngest's source; without one these tests are left out. */
const binary = process.env.INNGEST_BIN;
const LONG = { timeout: 180_000 };
const SOON = { timeout: 150_000, interval: 100 };

const answered = eventType("server/answered", z.object({ id: z.string(), text: z.string() }));
/** What the handlers did, by the id of the event that began them. */
const seen = new Map<string, string[]>();
const note = (id: string, what: string): void => void seen.set(id, [...(seen.get(id) ?? []), what]);
const of = (id: string): string[] => seen.get(id) ?? [];
const running = { now: 0, most: 0 };

/** Each test sends an event of its own name for itself; all are registered together, as an installation's are. */
const EVENTS = ["steps", "alone", "retries", "later", "fails", "waits", "misses", "sleeps", "once"] as const;
type Name = (typeof EVENTS)[number];
const begins = Object.fromEntries(
  EVENTS.map((name) => [name, eventType(`server/${name}`, z.object({ id: z.string() }))]),
);
const begin = (name: Name) => {
  const type = begins[name];
  if (!type) throw new Error(`no event ${name}`);
  return type;
};

const WORKFLOWS = [
  workflow({ id: "steps", triggers: begin("steps") }, async ({ event: { data }, step }) => {
    const first = await step.run("first", () => {
      note(data.id, "first");
      return { at: new Date("2026-01-01T00:00:00Z") };
    });
    const both = await Promise.all([step.run("left", () => "l"), step.run("right", () => "r")]);
    await step.run("last", () => note(data.id, `last ${first.at} ${both.join("")}`));
  }),
  workflow(
    { id: "alone", triggers: begin("alone"), concurrency: { key: "event.data.id", limit: 1 } },
    async ({ event: { data }, step }) => {
      await step.run("work", async () => {
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        await pause(200);
        running.now -= 1;
        note(data.id, "done");
      });
    },
  ),
  workflow({ id: "retries", triggers: begin("retries"), retries: 2 }, async ({ event: { data }, step }) => {
    await step.run("steady", () => note(data.id, "steady"));
    await step.run("shaky", () => {
      note(data.id, "shaky");
      if (of(data.id).length === 2) throw new Error("not yet");
    });
  }),
  workflow({ id: "later", triggers: begin("later"), retries: 1 }, async ({ event: { data }, step }) => {
    await step.run("slowed", () => {
      note(data.id, String(performance.now()));
      if (of(data.id).length === 1) throw new RetryAfterError("slow down", 2);
    });
  }),
  workflow(
    {
      id: "fails",
      triggers: begin("fails"),
      retries: 5,
      onFailure: async ({ event, error, step }) => {
        await step.run("tell", () => note(event.data.id, `failed: ${error.message}`));
      },
    },
    async ({ event: { data }, step }) => {
      await step.run("refused", () => {
        note(data.id, "tried");
        throw new NonRetriableError("never");
      });
    },
  ),
  workflow({ id: "waits", triggers: begin("waits") }, async ({ event: { data }, step }) => {
    await step.run("ask", () => note(data.id, "asked"));
    const answer = await step.waitForEvent("answer", { event: answered, match: "data.id", timeout: "5m" });
    await step.run("tell", () => note(data.id, answer ? answer.data.text : "nobody answered"));
  }),
  workflow({ id: "misses", triggers: begin("misses") }, async ({ event: { data }, step }) => {
    const answer = await step.waitForEvent("answer", { event: answered, match: "data.id", timeout: 2 });
    await step.run("tell", () => note(data.id, answer ? answer.data.text : "nobody answered"));
  }),
  workflow({ id: "sleeps", triggers: begin("sleeps") }, async ({ event: { data }, step }) => {
    await step.run("before", () => note(data.id, "before"));
    await step.sleep("short", 1);
    await step.sleepUntil("past", new Date("2001-01-01T00:00:00Z"));
    await step.run("after", () => note(data.id, "after"));
  }),
  workflow({ id: "once", triggers: begin("once") }, async ({ event: { data }, step }) => {
    await step.run("work", () => note(data.id, "ran"));
  }),
  workflow({ id: "each-minute", triggers: cron("* * * * *", "America/Sao_Paulo") }, async ({ event, step }) => {
    await step.run("tick", () => note("cron", event.data.cron));
  }),
];

let server: InngestServer;
let app: ServedApp;
beforeAll(async () => {
  if (!binary) return;
  server = await openInngestServer(binary);
  await server.start();
  app = await serveWorkflows(WORKFLOWS, server);
  await app.driver.register(app.origin);
}, 120_000);
afterAll(async () => {
  if (!binary) return;
  await app.stop();
  await server.kill();
  server.empty();
});
beforeEach((context) => leftOutIf(context, binary ? undefined : "INNGEST_BIN names no Inngest server"));

async function send(name: Name, id: string = newId()): Promise<string> {
  await app.driver.send([{ id: newId(), name: `server/${name}`, data: { id } }]);
  return id;
}

test("what is registered runs: steps in order, in parallel, and once each", LONG, async () => {
  const id = await send("steps");
  await expect.poll(() => of(id), SOON).toEqual(["first", "last 2026-01-01T00:00:00.000Z lr"]);
});

test("runs of one key wait for each other", LONG, async () => {
  const id = newId();
  await Promise.all([1, 2, 3].map(() => send("alone", id)));
  await expect.poll(() => of(id), SOON).toEqual(["done", "done", "done"]);
  expect(running.most).toBe(1);
});

test("a failing step is tried again, alone", LONG, async () => {
  const id = await send("retries");
  await expect.poll(() => of(id), SOON).toEqual(["steady", "shaky", "shaky"]);
});

test("a step that says when is tried again then, not before", LONG, async () => {
  const id = await send("later");
  await expect.poll(() => of(id).length, SOON).toBe(2);
  const [first = 0, second = 0] = of(id).map(Number);
  expect(second - first).toBeGreaterThanOrEqual(1_900);
});

test("what can never succeed is tried once, and its failure is handled", LONG, async () => {
  const id = await send("fails");
  await expect.poll(() => of(id), SOON).toEqual(["tried", "failed: never"]);
});

test("a wait goes on with the event of the same id alone", LONG, async () => {
  const [id, other] = [await send("waits"), await send("waits")];
  await expect.poll(() => [of(id), of(other)], SOON).toEqual([["asked"], ["asked"]]);
  await expect
    .poll(
      async () => {
        // Whether the wait stands yet nobody tells: an event before it is for nobody.
        await app.driver.send([{ id: newId(), name: answered.name, data: { id, text: "paid" } }]);
        return of(id);
      },
      { ...SOON, interval: 500 },
    )
    .toEqual(["asked", "paid"]);
  expect(of(other)).toEqual(["asked"]);
});

test("a wait that nobody answers ends by itself", LONG, async () => {
  const id = await send("misses");
  await expect.poll(() => of(id), SOON).toEqual(["nobody answered"]);
});

test("sleeps end, and no step runs again after them", LONG, async () => {
  const id = await send("sleeps");
  await expect.poll(() => of(id), SOON).toEqual(["before", "after"]);
});

test("an event that is sent again with its id begins nothing new", LONG, async () => {
  const [id, fence] = [newId(), newId()];
  const event = { id: newId(), name: "server/once", data: { id } };
  await app.driver.send([event]);
  await expect.poll(() => of(id), SOON).toEqual(["ran"]);
  await app.driver.send([event]);
  await send("once", fence);
  await expect.poll(() => of(fence), SOON).toEqual(["ran"]);
  expect(of(id)).toEqual(["ran"]);
});

const OTHER_SIGNING_KEY = "fedcba98".repeat(8);

test("wrong keys are told apart", LONG, async () => {
  const wrong = await serveWorkflows(WORKFLOWS, server, { eventKey: "another", signingKey: OTHER_SIGNING_KEY });
  try {
    await expect(wrong.driver.register(wrong.origin)).rejects.toMatchObject({ fault: "signing_key" });
    const event = begin("once").create({ id: newId() });
    await expect(wrong.driver.send([event])).rejects.toMatchObject({ fault: "event_key" });
  } finally {
    await wrong.stop();
  }
});

test("the doctor asks the server for each key by itself", LONG, async () => {
  const good = {
    INNGEST_EVENT_KEY: EVENT_KEY,
    INNGEST_SIGNING_KEY: SERVER_SIGNING_KEY,
    INNGEST_SIGNING_KEY_FALLBACK: undefined,
    INNGEST_BASE_URL: server.url,
  };
  const told = async (changes: Partial<Record<keyof typeof good, string>>) =>
    (await checkEngineKeys({ ...good, ...changes })).map(({ kind, line }) => `${kind} ${line.split(":")[0]}`);
  expect(await told({})).toEqual([]);
  expect(await told({ INNGEST_EVENT_KEY: "another" })).toEqual(["problem INNGEST_EVENT_KEY"]);
  expect(await told({ INNGEST_SIGNING_KEY: OTHER_SIGNING_KEY })).toEqual(["problem INNGEST_SIGNING_KEY"]);
  const rotated = { INNGEST_SIGNING_KEY: OTHER_SIGNING_KEY, INNGEST_SIGNING_KEY_FALLBACK: SERVER_SIGNING_KEY };
  expect(await told(rotated)).toEqual(["warning INNGEST_SIGNING_KEY"]);
  expect(await told({ INNGEST_SIGNING_KEY_FALLBACK: OTHER_SIGNING_KEY })).toEqual([
    "warning INNGEST_SIGNING_KEY_FALLBACK",
  ]);
});

test("while a key is rotated the server is told, and calls, with the fallback alone", LONG, async () => {
  const rotating = await serveWorkflows(WORKFLOWS, server, {
    signingKey: OTHER_SIGNING_KEY,
    signingKeyFallback: SERVER_SIGNING_KEY,
  });
  try {
    await rotating.driver.register(rotating.origin);
    const id = await send("once");
    await expect.poll(() => of(id), SOON).toEqual(["ran"]);
  } finally {
    await app.driver.register(app.origin);
    await rotating.stop();
  }
});

test("a cron fires with its expression", LONG, async () => {
  await expect.poll(() => of("cron")[0], SOON).toBe("* * * * *");
});

test("a server that was killed knows the functions still; an emptied one learns them again", LONG, async () => {
  await server.kill();
  await expect(send("once")).rejects.toMatchObject({ fault: "unreachable" });
  await server.start();
  const [kept, again] = [newId(), newId()];
  await send("once", kept);
  await expect.poll(() => of(kept), SOON).toEqual(["ran"]);
  await server.kill();
  server.empty();
  await server.start();
  await app.driver.register(app.origin);
  await send("once", again);
  await expect.poll(() => of(again), SOON).toEqual(["ran"]);
});
