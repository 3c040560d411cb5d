import { afterAll, describe, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { driverOf } from "@/inngest/client";
import { workflows } from "@/inngest/index";
import { startWorker } from "@/inngest/worker";
import { createEngine } from "@/lib/engine/engine";
import { inngestConfigs } from "@/lib/engine/testing-inngest";
import { newId } from "@/lib/ids";
import { pause } from "@/lib/wait";

const sql = systemSql();
const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

test("the worker hands waiting outbox rows to the engine, at once when it is told and soon when it is not", async () => {
  const worker = await startWorker();
  stops.push(worker.stop);
  const [told, untold] = [newId(), newId()];
  const write = (id: string) => sql`
    insert into outbox (id, client_id, name, data, created_at)
    values (${id}, ${newId()}, 'worker-test/thing.done', '{"thing":1}', now())`;
  const taken = async (id: string) =>
    (await sql`select name from engine_events where id = ${id}`).map((row) => row.name);
  await pause(200);
  await write(told);
  await sql`select pg_notify('outbox', '')`;
  await expect.poll(() => taken(told), { timeout: 600, interval: 20 }).toEqual(["worker-test/thing.done"]);
  await write(untold);
  await expect.poll(() => taken(untold), { timeout: 3_000 }).toEqual(["worker-test/thing.done"]);
});

describe("the driver", () => {
  test("is Inngest when its keys are set, and the embedded one otherwise", () => {
    expect(
      driverOf({
        INNGEST_BASE_URL: undefined,
        INNGEST_EVENT_KEY: undefined,
        INNGEST_SIGNING_KEY: undefined,
        INNGEST_SIGNING_KEY_FALLBACK: undefined,
      }),
    ).toEqual({ kind: "embedded" });
    const keys = {
      INNGEST_BASE_URL: "http://localhost:8288",
      INNGEST_EVENT_KEY: "e",
      INNGEST_SIGNING_KEY: "s",
      INNGEST_SIGNING_KEY_FALLBACK: "f",
    };
    expect(driverOf(keys)).toEqual({
      kind: "inngest",
      eventKey: "e",
      signingKey: "s",
      signingKeyFallback: "f",
      baseUrl: keys.INNGEST_BASE_URL,
    });
  });

  test("Inngest opens no pool of the engine and is called; the embedded one is not", async () => {
    const refuse = () => {
      throw new Error("opened");
    };
    const driver = { kind: "inngest", eventKey: "e", signingKey: "s" } as const;
    const engine = createEngine({ driver, workflows, sql: refuse });
    await engine.start();
    await engine.stop();
    expect(engine.inngest).toBeDefined();
    expect(createEngine({ driver: { kind: "embedded" }, workflows, sql: systemSql }).inngest).toBeUndefined();
  });
});

test("every workflow of the product is accepted by Inngest's registration", async () => {
  const configs = await inngestConfigs(workflows);
  for (const { id } of workflows) expect(configs.map((config) => config.id)).toContain(`trilho-${id}`);
});
