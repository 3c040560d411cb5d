import { AsyncLocalStorage } from "node:async_hooks";
import { createInterface } from "node:readline";
import type postgres from "postgres";
import { loadAccount } from "@/lib/accounts/service";
import { merchantDay } from "@/lib/bank-day/merchant-day";
import { type Context, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { workOnTransfers } from "@/lib/payouts/transfers";
import { driveOperation } from "@/lib/purchases/work";
import { runReport } from "@/lib/reports/run";
import { cycleDue, retryDue } from "@/lib/subscriptions/due";
import { workOnMandate } from "@/lib/subscriptions/mandate-work";
import type { Job, Told } from "@/lib/testing/kills/worker";
import { registerMirror } from "@/lib/testing/mirror/shop";
import { isTransaction } from "@/lib/testing/simulator/virtual";

/** A worker in a process of its own: it works on what it is told to, and stands still at the step it is told to. */

interface Doing {
  job: Job;
  hits: number;
}

const doing = new AsyncLocalStorage<Doing>();
const waiting: (() => void)[] = [];
const tell = (told: Told): void => {
  process.stdout.write(`${JSON.stringify(told)}\n`);
};

async function reaches(point: string): Promise<void> {
  const mine = doing.getStore();
  if (!mine) return;
  mine.hits += 1;
  if (mine.hits !== mine.job.stopAt) return;
  tell({ id: mine.job.id, at: point });
  await new Promise<void>((go) => {
    waiting.push(go);
  });
}

function gate(client: postgres.Sql): void {
  const begin = client.begin.bind(client) as (run: (sql: postgres.TransactionSql) => unknown) => Promise<unknown>;
  const gated = async (run: (sql: postgres.TransactionSql) => unknown): Promise<unknown> => {
    await reaches("transaction");
    const result = await begin(async (sql) => {
      const done = await run(sql);
      if (doing.getStore()?.job.holdsLocks) await reaches("commit");
      return done;
    });
    await reaches("committed");
    return result;
  };
  // Guarantee: Drizzle begins with a function alone, never with options in front of it.
  client.begin = gated as typeof client.begin;
  // A statement that names its client itself is a transaction.
  const unsafe = client.unsafe.bind(client);
  const alone = (given: Parameters<typeof unsafe>) => {
    const read = async (values: boolean): Promise<unknown> => {
      await reaches("transaction");
      const rows = await (values ? unsafe(...given).values() : unsafe(...given));
      await reaches("committed");
      return rows;
    };
    return {
      // biome-ignore lint/suspicious/noThenProperty: it stands for the driver's query, which is awaited.
      then: (...on: Parameters<Promise<unknown>["then"]>) => read(false).then(...on),
      values: () => read(true),
    };
  };
  // Guarantee: Drizzle waits for a query, or for its values, and asks nothing else of it.
  client.unsafe = ((...given: Parameters<typeof unsafe>) =>
    isTransaction(given) ? alone(given) : unsafe(...given)) as unknown as typeof client.unsafe;
}

async function around<T>(call: () => Promise<T>): Promise<T> {
  await reaches("send");
  const answered = await call();
  await reaches("sent");
  return answered;
}

Object.assign(globalThis, { trilhoKill: { reaches, gate, around } });
if (process.env.MIRROR_URL) registerMirror(process.env.MIRROR_URL);

const WORK: Record<NonNullable<Job["work"]>, (ctx: Context, id: string) => Promise<unknown>> = {
  due: cycleDue,
  retry: retryDue,
  mandate: workOnMandate,
  day: merchantDay,
  transfers: workOnTransfers,
  report: runReport,
};

async function contextOf({ clientId, at }: Job): Promise<Context> {
  const account = await loadAccount(clientId);
  const clock = at === undefined ? account.clock : { offsetSeconds: 0, frozenAt: new Date(at) };
  return systemContext({ ...account, clock }, newId());
}

async function work(job: Job): Promise<void> {
  try {
    const end = await doing.run({ job, hits: 0 }, async () => {
      const ctx = await contextOf(job);
      if (job.work === undefined) return driveOperation(ctx, job.operationId);
      await WORK[job.work](ctx, job.operationId);
      return "done";
    });
    tell({ id: job.id, end });
  } catch (thrown) {
    tell({ id: job.id, end: "failed", why: thrown instanceof Error ? thrown.message.slice(0, 200) : String(thrown) });
  }
}

tell({ id: "process", at: "ready" });
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "go") for (const go of waiting.splice(0)) go();
  // Guarantee: the parent writes jobs and "go", nothing else.
  else void work(JSON.parse(line) as Job);
}
process.exit(0);
