import { connect } from "node:net";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { beginAhead } from "@/db/driver/begin-ahead";
import { endingWithConnection } from "@/db/driver/lost-connection";
import { testDatabaseUrl } from "@/lib/testing/database";

let url: string;
let owner: postgres.Sql;
beforeAll(async () => {
  url = await testDatabaseUrl();
  owner = postgres(url, { max: 1, onnotice: () => undefined });
  await owner`create table ahead (what text not null)`;
});
const open: postgres.Sql[] = [];
afterEach(() => Promise.all(open.splice(0).map((one) => one.end({ timeout: 1 }))));
afterAll(() => owner.end({ timeout: 5 }));

/** A client of one connection, and what it sends, write by write; `alter` may send other bytes. */
function clientOf(alter: (bytes: Buffer) => Buffer = (bytes) => bytes) {
  const writes: string[] = [];
  const { port, hostname } = new URL(url);
  // Guarantee: the driver takes `socket`; its types do not say so.
  const options = {
    max: 1,
    onnotice: () => undefined,
    socket: () => {
      const socket = connect(Number(port), hostname);
      const write = socket.write.bind(socket);
      socket.write = ((...given: Parameters<typeof write>) => {
        if (Buffer.isBuffer(given[0])) {
          given[0] = alter(given[0]);
          writes.push(String(given[0]));
        }
        return write(...given);
      }) as typeof socket.write;
      return socket;
    },
  } as postgres.Options<Record<string, never>>;
  const sql = guarded(postgres(url, options));
  return { sql, writes };
}

function guarded(client: postgres.Sql): postgres.Sql {
  open.push(client);
  return endingWithConnection(client, beginAhead(client));
}

const kept = async (): Promise<string[]> =>
  (
    await owner<{ what: string }[]>`with gone as (delete from ahead returning what) select what from gone order by what`
  ).map(({ what }) => what);

test("begin leaves together with the first statements of its transaction", async () => {
  const { sql, writes } = clientOf();
  const insert = (tx: postgres.TransactionSql) =>
    Promise.all([tx.unsafe("insert into ahead values ('one')"), tx.unsafe("insert into ahead values ('two')")]);
  // The connection is made by the first of all.
  await sql`select 1`;
  writes.length = 0;
  await sql.begin(insert);
  expect(writes.map((bytes) => bytes.match(/begin|one|two|commit/g))).toEqual([["begin", "one", "two"], ["commit"]]);
  expect(await kept()).toEqual(["one", "two"]);
});

test("transactions that wait for the only connection come one after the other, each with its own statements", async () => {
  const { sql } = clientOf();
  const held = await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      sql.begin(async (tx) => {
        const [first] = await tx<{ id: string }[]>`select pg_current_xact_id()::text as id`;
        await tx`insert into ahead values (${String(nth)})`;
        const [second] = await tx<{ id: string }[]>`select pg_current_xact_id()::text as id`;
        return [first?.id, second?.id];
      }),
    ),
  );
  expect(held.every(([first, second]) => first === second)).toBe(true);
  expect(new Set(held.map(([first]) => first)).size).toBe(20);
  expect(await kept()).toHaveLength(20);
});

test("what fails is rolled back whole, and a savepoint by itself", async () => {
  const { sql } = clientOf();
  const failed = sql.begin(async (tx) => {
    await tx`insert into ahead values ('gone')`;
    throw new Error("decided otherwise");
  });
  await expect(failed).rejects.toThrow("decided otherwise");
  await sql.begin(async (tx) => {
    await tx`insert into ahead values ('stays')`;
    const inner = tx.savepoint((within) => within`insert into ahead values (null)`);
    await inner.catch(() => undefined);
  });
  expect(await kept()).toEqual(["stays"]);
});

test("a begin that fails fails its transaction, of which nothing more is sent", async () => {
  let isBroken = false;
  const { sql, writes } = clientOf((bytes) =>
    isBroken ? Buffer.from(bytes.toString("latin1").replace("begin ", "bigin "), "latin1") : bytes,
  );
  await sql`select 1`;
  isBroken = true;
  // The answer of what left with begin may come after the transaction has failed.
  let goOn: (sent: Promise<unknown>) => void;
  const late = new Promise<unknown>((resolve) => {
    goOn = resolve;
  });
  const ended = sql.begin(async (tx) => {
    await tx.unsafe("select 'with begin'");
    goOn(tx.unsafe("insert into ahead values ('late')").then(() => "sent"));
    return late;
  });
  await expect(ended).rejects.toThrow("syntax error");
  await expect(late).rejects.toThrow("syntax error");
  isBroken = false;
  expect(await sql`select 3 as three`).toEqual([{ three: 3 }]);
  expect(writes.join(" ")).not.toMatch(/rollback|commit|late/);
  expect(await kept()).toEqual([]);
});

test("where there is no server, the transaction fails without its work", async () => {
  const nowhere = guarded(postgres("postgres://127.0.0.1:1/none", { connect_timeout: 1, max: 1 }));
  let isBegun = false;
  const ended = nowhere.begin(async () => {
    isBegun = true;
  });
  await expect(ended).rejects.toThrow("ECONNREFUSED");
  expect(isBegun).toBe(false);
});
