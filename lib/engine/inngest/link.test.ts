import { beforeEach, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import {
  beat,
  leave,
  noteCall,
  noteEvents,
  noteRegistration,
  noteTold,
  openEngineLink,
  readEngineLink,
  watch,
} from "@/lib/engine/inngest/link";
import { faultSaid, linkFaultOf, mustSweep } from "@/lib/engine/inngest/standing";
import { newId } from "@/lib/ids";

const sql = systemSql();
const web = () => ({ id: newId(), role: "web" as const, address: "http://web.test" });
const worker = () => ({ id: newId(), role: "worker" as const, address: "http://worker.test:1" });
const standing = async () => {
  const link = await readEngineLink(sql);
  if (!link) throw new Error("no link");
  const fault = linkFaultOf(link);
  return fault && faultSaid(fault, link);
};
const past = (column: string, seconds: number) =>
  sql`update engine_link set ${sql(column)} = now() - ${seconds} * interval '1 second'`;

beforeEach(async () => {
  await sql`delete from engine_link`;
  await sql`delete from engine_servers`;
  await openEngineLink(sql, "http://inngest.test");
});

test("one process registers, and another takes its place when it leaves or falls silent", async () => {
  const [first, second] = [worker(), worker()];
  expect(await beat(sql, first)).toBe(true);
  await noteRegistration(sql, first.address, null);
  expect([await beat(sql, first), await beat(sql, second)]).toEqual([false, false]);
  await past("registrar_seen_at", 9);
  expect(await beat(sql, second)).toBe(false);
  await past("registrar_seen_at", 11);
  expect(await beat(sql, second)).toBe(true);
  await noteRegistration(sql, second.address, null);
  await leave(sql, second.id);
  expect(await beat(sql, first)).toBe(true);
});

test("a web process registers only while no worker takes calls", async () => {
  const [page, own] = [web(), worker()];
  expect(await beat(sql, page)).toBe(true);
  await noteRegistration(sql, page.address, null);
  expect(await beat(sql, own)).toBe(true);
  await noteRegistration(sql, own.address, null);
  expect(await beat(sql, page)).toBe(false);
  await sql`update engine_servers set seen_at = now() - interval '11 seconds' where id = ${own.id}`;
  await past("registrar_seen_at", 11);
  expect(await beat(sql, page)).toBe(true);
});

test("of many at once one registers", async () => {
  const many = Array.from({ length: 8 }, worker);
  const answers = await Promise.all(many.map((one) => beat(sql, one)));
  expect(answers.filter(Boolean)).toHaveLength(1);
});

test("functions are registered again after two minutes without a call, and when the server answers again", async () => {
  const own = worker();
  await beat(sql, own);
  await noteRegistration(sql, own.address, null);
  expect(await beat(sql, own)).toBe(false);
  await past("registered_at", 121);
  expect(await beat(sql, own)).toBe(true);
  await noteCall(sql);
  expect(await beat(sql, own)).toBe(false);
  await noteEvents(sql, "unreachable");
  expect(await beat(sql, own)).toBe(false);
  await noteEvents(sql, null);
  expect(await beat(sql, own)).toBe(true);
});

test("each thing that is wrong is said in words, and nothing while calls come", async () => {
  expect(await standing()).toBe("the functions are not registered yet");
  await noteRegistration(sql, "http://worker.test:1", "signing_key");
  expect(await standing()).toBe("signing key refused");
  await noteRegistration(sql, "http://worker.test:1", null);
  await noteCall(sql);
  expect(await standing()).toBeNull();
  await noteEvents(sql, "event_key");
  expect(await standing()).toBe("event key refused");
  await noteEvents(sql, null);
  await past("since", 600);
  await past("called_at", 89);
  expect(await standing()).toBeNull();
  await past("called_at", 240);
  expect(await standing()).toBe("last call 4 min ago");
});

test("silence counts from when somebody was there to be called, and another server is another story", async () => {
  await noteRegistration(sql, "http://worker.test:1", null);
  await past("since", 3_600);
  await past("watched_at", 31);
  await watch(sql);
  expect(await standing()).toBeNull();
  await past("since", 95);
  await watch(sql);
  expect(await standing()).toBe("no call for 95 s");
  await openEngineLink(sql, "http://other.test");
  expect(await standing()).toBe("the functions are not registered yet");
});

test("the workers sweep by themselves after silence, after ten seconds of a fault, and while a purchase waits", async () => {
  const sweeps = async (wait = 0) => {
    const link = await readEngineLink(sql);
    return link && mustSweep(link, wait);
  };
  await noteRegistration(sql, "http://worker.test:1", null);
  await noteCall(sql);
  await noteTold(sql, null);
  expect(await sweeps()).toBe(false);
  expect(await sweeps(14)).toBe(false);
  expect(await sweeps(15)).toBe(true);
  await past("since", 600);
  await past("called_at", 91);
  expect(await sweeps()).toBe(true);
  await noteCall(sql);
  await noteEvents(sql, "unreachable");
  await noteTold(sql, "unreachable");
  expect(await sweeps()).toBe(false);
  await past("told_at", 11);
  expect(await sweeps()).toBe(true);
  await noteEvents(sql, null);
  expect(await sweeps()).toBe(false);
});

test("a change is told by one process, once", async () => {
  const told = await Promise.all(Array.from({ length: 5 }, () => noteTold(sql, "silent")));
  expect(told.filter(Boolean)).toHaveLength(1);
  expect(await noteTold(sql, "silent")).toBe(false);
  expect(await noteTold(sql, null)).toBe(true);
});
