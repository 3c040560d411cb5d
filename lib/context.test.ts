import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { systemDb } from "@/db/client";
import { runText } from "@/db/driver/run-text";
import { dueJobs } from "@/db/schema/outbox";
import { change, insertion } from "@/db/writes";
import { buyerIpOf, type Context, inTransaction, leaveWithCommit, type Principal, systemContext } from "@/lib/context";
import { newId } from "@/lib/ids";
import { rolledBack } from "@/lib/plans/rolled-back";
import { openClient } from "@/lib/testing/api";

const ip = "203.0.113.7";
const account = {
  id: newId(),
  mode: "sandbox",
  clock: { offsetSeconds: 0, frozenAt: null },
  autoSettleSeconds: null,
} as const;
const asked = (principal: Principal) => buyerIpOf({ ...systemContext(account, newId()), ip, principal });

test("a fraud provider is shown the address of the buyer's browser, never that of the shop's server or of its people", () => {
  const browsers: Principal[] = [
    { kind: "public", publicKey: "k", rootKey: "k", scopes: ["charges"] },
    { kind: "session", publicKey: "k", sessionId: newId(), customerId: null, madeBy: null, isOver: false },
  ];
  expect(browsers.map(asked)).toEqual([ip, ip]);
  const others: Principal[] = [
    { kind: "secret", keyId: newId(), rights: null },
    { kind: "operator", operatorId: newId() },
    { kind: "system" },
  ];
  expect(others.map(asked)).toEqual([undefined, undefined, undefined]);
});

describe("what leaves with the commit", () => {
  const job = (clientId: string) => {
    const at = new Date();
    return { id: newId(), clientId, kind: "attempt.query" as const, refId: newId(), dueAt: at, createdAt: at };
  };
  const jobsOf = (clientId: string) => systemDb().$count(dueJobs, eq(dueJobs.clientId, clientId));
  const opened = async (): Promise<Context> => (await openClient()).context();
  /** Fails, and with it the statement that it is in. */
  const missing = () => change(dueJobs, { attempts: 1 }, { id: newId() }, { isMust: true });

  test("is committed with what was done before it, though nobody waited for it", async () => {
    const ctx = await opened();
    const { id } = ctx.account;
    const done = await inTransaction(ctx, async (inside) => {
      leaveWithCommit(inside, [insertion(dueJobs, job(id))]);
      await inTransaction(inside, async (nested) => leaveWithCommit(nested, [insertion(dueJobs, job(id))]));
      return "done";
    });
    expect(done).toBe("done");
    expect(await jobsOf(id)).toBe(2);
  });

  test("needs a transaction to leave with", async () => {
    const ctx = await opened();
    expect(() => leaveWithCommit(ctx, [insertion(dueJobs, job(ctx.account.id))])).toThrow("outside of a transaction");
  });

  test("undoes all of it when it fails, and says why in the caller's words", async () => {
    const ctx = await opened();
    const undone: string[] = [];
    const failing = inTransaction(ctx, async (inside) => {
      inside.undo?.push(async () => undone.push("vault"));
      leaveWithCommit(inside, [insertion(dueJobs, job(ctx.account.id))]);
      leaveWithCommit(inside, [missing()], () => new Error("it is somebody else's by now"));
      return "done";
    });
    await expect(failing).rejects.toThrow("it is somebody else's by now");
    expect(await jobsOf(ctx.account.id)).toBe(0);
    expect(undone).toEqual(["vault"]);
  });

  test("is why a statement behind it failed", async () => {
    const ctx = await opened();
    const failing = inTransaction(ctx, async (inside) => {
      leaveWithCommit(inside, [missing()], () => new Error("the first"));
      await runText(inside.db, "select 1", []);
    });
    await expect(failing).rejects.toThrow("the first");
  });

  test("is tried again with the rest when two transactions block each other", async () => {
    const one = await opened();
    const rows = [job(one.account.id), job(one.account.id)] as const;
    await inTransaction(one, async (inside) =>
      leaveWithCommit(
        inside,
        rows.map((row) => insertion(dueJobs, row)),
      ),
    );
    let isBlocked = 0;
    const locking = (first: number) =>
      inTransaction(one, async (inside) => {
        await inside.db
          .update(dueJobs)
          .set({ attempts: 1 })
          .where(eq(dueJobs.id, rows[first]?.id ?? ""));
        isBlocked++;
        while (isBlocked < 2) await new Promise((resolve) => setTimeout(resolve, 5));
        leaveWithCommit(inside, [
          change(dueJobs, { attempts: 2 }, { id: rows[1 - first]?.id ?? "" }, { isMust: true }),
        ]);
      });
    await Promise.all([locking(0), locking(1)]);
    expect(await jobsOf(one.account.id)).toBe(2);
  });

  test("is taken back with a plan that is made inside of a transaction, and fails with the plan alone", async () => {
    const ctx = await opened();
    const { id } = ctx.account;
    await inTransaction(ctx, async (inside) => {
      leaveWithCommit(inside, [insertion(dueJobs, job(id))]);
      const planned = await rolledBack(inside, async (planning) => {
        leaveWithCommit(planning, [insertion(dueJobs, job(id))]);
        return "planned";
      });
      expect(planned).toBe("planned");
      const failing = rolledBack(inside, async (planning) => {
        leaveWithCommit(planning, [missing()], () => new Error("not as it was known"));
      });
      await expect(failing).rejects.toThrow("not as it was known");
    });
    expect(await jobsOf(id)).toBe(1);
  });
});
