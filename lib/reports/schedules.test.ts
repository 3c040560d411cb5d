import { expect, test } from "vitest";
import { systemDb, systemSql } from "@/db/client";
import { removeMember } from "@/lib/operators/team";
import { nextRun, previousSpan } from "@/lib/reports/calendar";
import { changeDefinition } from "@/lib/reports/definitions";
import { newReport } from "@/lib/reports/testing";
import { dayBegins } from "@/lib/reports/zones";
import { drainDueJobs } from "@/lib/scheduler/drain";
import { createOperator } from "@/lib/sign-in/service";
import { openClient } from "@/lib/testing/api";
import type { List } from "@/lib/testing/api-client";

const ZONE = "America/Sao_Paulo";
const at = (text: string): Date => new Date(text);

test.each([
  ["daily", "2026-11-23T08:59:00Z", "2026-11-23T09:00:00.000Z", "2026-11-22", "2026-11-22"],
  ["daily", "2026-11-23T09:00:00Z", "2026-11-24T09:00:00.000Z", "2026-11-22", "2026-11-22"],
  ["weekly", "2026-11-25T12:00:00Z", "2026-11-30T09:00:00.000Z", "2026-11-16", "2026-11-22"],
  ["monthly", "2026-11-25T12:00:00Z", "2026-12-01T09:00:00.000Z", "2026-10-01", "2026-10-31"],
  ["monthly", "2026-12-31T12:00:00Z", "2027-01-01T09:00:00.000Z", "2026-11-01", "2026-11-30"],
  // Still the last evening of February in São Paulo.
  ["monthly", "2028-03-01T01:00:00Z", "2028-03-01T09:00:00.000Z", "2028-01-01", "2028-01-31"],
] as const)("%s after %s is %s, about %s to %s", (cron, now, next, gte, lte) => {
  expect(nextRun(cron, "06:00", ZONE, at(now)).toISOString()).toBe(next);
  expect(previousSpan(cron, ZONE, at(now))).toEqual({ gte, lte });
});

test("a time that clocks skip is the moment after it", () => {
  expect(nextRun("daily", "02:30", "Europe/Berlin", at("2027-03-27T12:00:00Z")).toISOString()).toBe(
    "2027-03-28T01:30:00.000Z",
  );
});

test("a day whose midnight clocks skip begins when they do", () => {
  expect(dayBegins("2018-11-04", ZONE).toISOString()).toBe("2018-11-04T03:00:00.000Z");
  expect(dayBegins("2026-09-06", "America/Santiago").toISOString()).toBe("2026-09-06T04:00:00.000Z");
  expect(dayBegins("2019-02-17", ZONE).toISOString()).toBe("2019-02-17T03:00:00.000Z");
});

const dayOf = (one: unknown) => (one as { filters: { createdAt: { gte: string; lte: string } } }).filters.createdAt;

test("a schedule makes the report of each day that ended, once, until it is ended", async () => {
  const client = await openClient();
  const report = newReport({ type: "customers", fields: ["customer__id"] });
  const { id } = await client.make("POST", "/v1/reports/schedules", {
    body: { name: "Customers", cron: "daily", report },
  });
  const made = async () => (await client.make<List>("GET", "/v1/reports")).items;
  expect(await made()).toHaveLength(0);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P1D" } });
  await drainDueJobs();
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P1D" } });
  await drainDueJobs();
  const [newest, before] = await made();
  expect(dayOf(newest).gte).toBe(dayOf(newest).lte);
  expect(Date.parse(dayOf(newest).gte) - Date.parse(dayOf(before).gte)).toBe(86_400_000);
  expect((await client.call("DELETE", `/v1/reports/schedules/${id}`)).status).toBe(204);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P2D" } });
  await drainDueJobs();
  expect(await made()).toHaveLength(2);
});

test("runs that were missed are made up, each of its own day", async () => {
  const client = await openClient();
  const report = newReport({ type: "customers", fields: ["customer__id"] });
  await client.make("POST", "/v1/reports/schedules", { body: { name: "Customers", cron: "daily", report } });
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P3D" } });
  await drainDueJobs();
  const { items } = await client.make<List>("GET", "/v1/reports");
  const days = items.map((one) => dayOf(one).gte);
  const newest = Date.parse(days[0] ?? "");
  expect(days.map((day) => (newest - Date.parse(day)) / 86_400_000)).toEqual([0, 1, 2]);
});

test("runs that were missed are made up also where the report was called otherwise meanwhile", async () => {
  const client = await openClient();
  const report = newReport({ type: "customers", fields: ["customer__id"] });
  const { id } = await client.make("POST", "/v1/reports/schedules", {
    body: { name: "Customers", cron: "daily", time: "06:00", report },
  });
  await systemSql()`update report_definitions set next_at = next_at - interval '2 days' where id = ${id}`;
  const schedule = { cron: "daily", time: "06:00" } as const;
  await changeDefinition(await client.context(), id, { name: "Buyers", sendTo: report.sendTo, schedule });
  await drainDueJobs();
  expect((await client.make<List>("GET", "/v1/reports")).items).toHaveLength(2);
});

test("a schedule ends with the membership of the person it goes to, who is asked nothing", async () => {
  const client = await openClient();
  const { clientId } = client;
  const email = `bia.${clientId.slice(-6)}@equipe.example`;
  const person = { email, name: "Bia Reis", password: "correct horse battery staple", clientId };
  const { id: operatorId } = await createOperator(systemDb(), { ...person, role: "finance" });
  const report = newReport({ type: "customers", fields: ["customer__id"], sendTo: email });
  await client.make("POST", "/v1/reports/schedules", { body: { name: "Customers", cron: "daily", report } });
  const made = async () => (await client.make<List>("GET", "/v1/reports")).items;
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P1D" } });
  await drainDueJobs();
  expect(await made()).toHaveLength(1);
  await removeMember(await client.context(), operatorId);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P1D" } });
  await drainDueJobs();
  expect(await made()).toHaveLength(1);
  expect((await client.make<List>("GET", "/v1/reports/schedules")).items).toEqual([]);
});

test("where a kept report goes and when it repeats can change, and what it says stays", async () => {
  const client = await openClient();
  const report = newReport({ type: "customers", fields: ["customer__id"] });
  const body = { name: "Customers", cron: "daily", report };
  const { id } = await client.make("POST", "/v1/reports/schedules", { body });
  const ctx = await client.context();
  const schedule = { cron: "monthly", time: "07:30" } as const;
  const changed = await changeDefinition(ctx, id, { name: "Buyers", sendTo: "ana@example.com", schedule });
  expect(changed).toMatchObject({ name: "Buyers", cron: "monthly", time: "07:30" });
  expect(changed.request).toMatchObject({ type: "customers", fields: ["customer__id"], sendTo: "ana@example.com" });
  expect(changed.nextAt).toEqual(nextRun("monthly", "07:30", changed.timezone, changed.updatedAt));
  const byHand = await changeDefinition(ctx, id, { name: "Buyers", sendTo: "ana@example.com", schedule: null });
  expect([byHand.cron, byHand.nextAt]).toEqual([null, null]);
  await client.make("POST", "/v1/sandbox/clock", { body: { advance: "P40D" } });
  await drainDueJobs();
  expect((await client.make<List>("GET", "/v1/reports")).items).toEqual([]);
});

test("who may not see personal data has none of it sent anywhere else", async () => {
  const client = await openClient();
  const report = newReport({ type: "customers", fields: ["customer__id", "customer__email"] });
  const { id } = await client.make("POST", "/v1/reports/schedules", { body: { name: "x", cron: "daily", report } });
  const asked = { name: "x", sendTo: "me@example.com", schedule: null };
  await expect(changeDefinition(await client.context(), id, asked, true)).rejects.toThrow();
  const [kept] = (await client.make<List>("GET", "/v1/reports/schedules")).items;
  expect(kept).toMatchObject({ cron: "daily" });
});

test("an account keeps at most twenty", async () => {
  const client = await openClient();
  const body = { name: "x", cron: "weekly", report: newReport({ type: "ledger", fields: "all" }) };
  for (let n = 0; n < 20; n++) await client.make("POST", "/v1/reports/schedules", { body });
  const { status, error } = await client.call("POST", "/v1/reports/schedules", { body });
  expect([status, error?.businessCode]).toEqual([409, "report_limit_reached"]);
});
