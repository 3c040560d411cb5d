import { sql as statement } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appDb, systemDb, systemSql } from "@/db/client";

/** As often as a pool has connections: each of them has been lost once by then. */
const ROUNDS = 8;

let owner: postgres.Sql;
beforeAll(async () => {
  await systemSql()`select 1`;
  owner = postgres(process.env.DATABASE_OWNER_URL ?? "", { max: 1, onnotice: () => undefined });
  await owner`create table kept (what text not null)`;
  await owner`grant all on kept to public`;
});
afterAll(() => owner.end({ timeout: 5 }));

const lose = async (pid: number): Promise<void> => {
  await owner`select pg_terminate_backend(${pid}, 10000)`;
};
/** The driver tells the first statement on a new connection what the server said last on the old one. */
const served = async (
  ask: () => PromiseLike<Iterable<unknown>> = () => systemSql()`select 1 as one`,
): Promise<void> => {
  for (let tried = 1; ; tried++) {
    try {
      expect([...(await ask())]).toEqual([{ one: 1 }]);
      return;
    } catch (thrown) {
      if (tried > ROUNDS) throw thrown;
    }
  }
};
function promised() {
  let resolve = (_value: unknown): void => undefined;
  let reject = (_thrown: unknown): void => undefined;
  const promise = new Promise<unknown>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve, reject };
}
const kept = async (): Promise<string[]> =>
  (await owner<{ what: string }[]>`select what from kept`).map(({ what }) => what);

describe("a transaction whose connection breaks", () => {
  test("fails while a statement is under way, and the pool serves again", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const lost = systemSql().begin(async (tx) => {
        const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
        await tx`insert into kept values ('under way')`;
        const asleep = tx`select pg_sleep(60)`.execute();
        await lose(row?.pid ?? 0);
        await asleep;
      });
      await expect(lost).rejects.toThrow();
      await served();
    }
    expect(await kept()).toEqual([]);
  });

  test.each([
    ["the query builder", systemDb],
    ["the pool whose begin is not waited for", appDb],
  ])("the same through %s", async (_, database) => {
    for (let round = 0; round < ROUNDS; round++) {
      const lost = database().transaction(async (tx) => {
        const [row] = await tx.execute<{ pid: number }>(statement`select pg_backend_pid() as pid`);
        await tx.execute(statement`insert into kept values ('query builder')`);
        await lose(row?.pid ?? 0);
        await tx.execute(statement`select 1`);
      });
      await expect(lost).rejects.toThrow();
      await served(() => database().execute<{ one: number }>(statement`select 1 as one`));
    }
    expect(await kept()).toEqual([]);
  });

  test("fails where its begin is under way", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [row] = await appDb().execute<{ pid: number }>(statement`select pg_backend_pid() as pid`);
      const lost = appDb().transaction(async (tx) => {
        const first = tx.execute(statement`insert into kept select 'begun' from pg_sleep(60)`).then(() => "written");
        await Promise.all([first, lose(row?.pid ?? 0)]);
      });
      await expect(lost).rejects.toThrow();
      const rows = await appDb().execute<{ one: number }>(statement`select 1 as one`);
      expect([...rows]).toEqual([{ one: 1 }]);
    }
    expect(await kept()).toEqual([]);
  });

  test("no statement of it runs on another connection afterwards", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const late = promised();
      const goOn = promised();
      const lost = systemSql().begin(async (tx) => {
        const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
        await lose(row?.pid ?? 0);
        await goOn.promise;
        await tx`insert into kept values ('late')`.then(late.resolve, late.reject);
      });
      await expect(lost).rejects.toThrow();
      // The pool has a new connection in the place of the lost one.
      await served();
      goOn.resolve(undefined);
      await expect(late.promise).rejects.toThrow();
    }
    expect(await kept()).toEqual([]);
  });
});
