import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { appDb, systemDb } from "@/db/client";
import { dueJobs, events, outbox } from "@/db/schema/outbox";
import { findRows } from "@/db/statements";
import { changedRow, storedRow } from "@/db/stored";
import { change, insertion, removal, writeAlone, writeTogether } from "@/db/writes";
import { newId } from "@/lib/ids";
import { openClient } from "@/lib/testing/api";

const at = new Date("2026-02-03T04:05:06.789Z");
const job = (changes: Partial<typeof dueJobs.$inferInsert> = {}) =>
  storedRow(dueJobs, {
    id: newId(),
    clientId: newId(),
    kind: "attempt.query",
    refId: newId(),
    dueAt: at,
    createdAt: at,
    ...changes,
  });
const jobsOf = (clientId: string) => systemDb().select().from(dueJobs).where(eq(dueJobs.clientId, clientId));

describe("several writes in one statement", () => {
  test("store the rows as they were handed over, and say how many each wrote", async () => {
    const [one, two] = [job(), job()];
    const moved = { ...one, dueAt: new Date(at.getTime() + 1) };
    expect(await writeTogether(systemDb(), [insertion(dueJobs, one), insertion(dueJobs, two)])).toEqual([1, 1]);
    const written = await writeTogether(systemDb(), [
      change(dueJobs, { dueAt: moved.dueAt }, { id: one.id }),
      removal(dueJobs, { id: two.id }),
      removal(dueJobs, { id: newId() }),
    ]);
    expect(written).toEqual([1, 1, 0]);
    expect(await jobsOf(one.clientId)).toEqual([moved]);
    expect(await jobsOf(two.clientId)).toEqual([]);
  });

  test("write nothing behind a gate that wrote nothing, nor without what they need", async () => {
    const [one, two] = [job(), job()];
    const shut = change(dueJobs, { attempts: 1 }, { id: newId() }, { isGate: true });
    expect(await writeTogether(systemDb(), [insertion(dueJobs, one), shut, insertion(dueJobs, two)])).toEqual([
      1, 0, 0,
    ]);
    const absent = change(dueJobs, { attempts: 1 }, { id: newId() }, { as: "absent" });
    const needing = insertion(dueJobs, two, { needs: "absent" });
    expect(await writeTogether(systemDb(), [absent, needing])).toEqual([0, 0]);
    expect(await jobsOf(two.clientId)).toEqual([]);
  });

  test("are made in their order: what frees a place comes before what takes it", async () => {
    const old = job();
    await writeTogether(systemDb(), [insertion(dueJobs, old)]);
    const inItsPlace = job({ clientId: old.clientId, kind: old.kind, refId: old.refId });
    await writeTogether(systemDb(), [
      change(dueJobs, { refId: newId() }, { id: old.id }),
      insertion(dueJobs, inItsPlace),
    ]);
    expect(await jobsOf(old.clientId)).toHaveLength(2);
  });

  test("are all undone when one that must write did not", async () => {
    const one = job();
    const missing = change(dueJobs, { attempts: 1 }, { id: newId() }, { isMust: true });
    await expect(writeTogether(systemDb(), [insertion(dueJobs, one), missing])).rejects.toThrow();
    expect(await jobsOf(one.clientId)).toEqual([]);
  });
});

describe("a statement that names its client itself", () => {
  test("writes that client's rows, in a transaction of its own, and leaves no name on the connection", async () => {
    const { clientId } = await openClient();
    const one = job({ clientId });
    expect(await writeAlone(appDb(), clientId, [insertion(dueJobs, one)])).toEqual([1]);
    expect(await writeAlone(appDb(), clientId, [change(dueJobs, { attempts: 1 }, { id: one.id })])).toEqual([1]);
    expect(await jobsOf(clientId)).toEqual([{ ...one, attempts: 1 }]);
    for (let round = 0; round < 20; round++) expect(await findRows(appDb(), dueJobs, { id: one.id })).toEqual([]);
  });

  test("neither changes nor deletes nor writes rows of another client", async () => {
    const [mine, theirs] = [(await openClient()).clientId, (await openClient()).clientId];
    const one = job({ clientId: theirs });
    await writeAlone(appDb(), theirs, [insertion(dueJobs, one)]);
    const tried = [change(dueJobs, { attempts: 1 }, { id: one.id }), removal(dueJobs, { id: one.id })];
    expect(await writeAlone(appDb(), mine, tried)).toEqual([0, 0]);
    await expect(writeAlone(appDb(), mine, [insertion(dueJobs, job({ clientId: theirs }))])).rejects.toThrow();
    expect(await jobsOf(theirs)).toEqual([one]);
  });
});

describe("a row in memory", () => {
  test("is what the database answers: defaults, and JSON as it is kept", async () => {
    const given = {
      id: newId(),
      clientId: newId(),
      name: "a name",
      data: { zz: 1, b: { longer: at, a: [undefined, null, { y: 1.5, x: "é" }] }, none: undefined, é: 2, a: null },
      createdAt: at,
    };
    const row = storedRow(outbox, given);
    await writeTogether(systemDb(), [insertion(outbox, given)]);
    const [stored] = await findRows(systemDb(), outbox, { id: given.id });
    expect(stored).toEqual(row);
    expect(JSON.stringify(stored?.data)).toBe(JSON.stringify(row.data));
    const changes = { data: { bb: [{}], a: "x" }, relayedAt: at };
    await writeTogether(systemDb(), [change(outbox, changes, { id: given.id })]);
    const [changed] = await findRows(systemDb(), outbox, { id: given.id });
    expect(changed).toEqual(changedRow(outbox, row, changes));
    expect(JSON.stringify(changed?.data)).toBe('{"a":"x","bb":[{}]}');
  });

  test("leaves bytes and what is empty as they are", async () => {
    const given = {
      id: newId(),
      clientId: newId(),
      object: "transaction",
      event: "failed",
      entityId: newId(),
      entityVersion: 1,
      body: Buffer.from([0, 255, 92, 39]),
      createdAt: at,
    };
    await writeTogether(systemDb(), [insertion(events, given)]);
    expect(await findRows(systemDb(), events, { id: given.id })).toEqual([storedRow(events, given)]);
  });
});
