import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemSql } from "@/db/client";
import { SUBSCRIPTION_INVARIANTS } from "@/lib/invariants/subscriptions";
import { SANDBOX_BRANDS, type SandboxBrand } from "@/lib/reference/sandbox-pans";
import { recoverCharges } from "@/lib/scheduler/recover";
import { environment } from "@/lib/testing/kills/runs";
import { POINTS } from "@/lib/testing/kills/seams";
import { type Job, startWorker } from "@/lib/testing/kills/worker";
import { proofFrom, proofRuns, proofTimeout, recordProof } from "@/lib/testing/proof";
import { bundled } from "@/lib/testing/simulator/bundle";
import { type Club, openClub } from "@/lib/testing/subscriptions";

const IN_SUITE = 10;
/** Of one process, which dies with all of them under way. */
const AT_ONCE = 10;
const MADE_AT = "2027-03-14T12:00:00Z";
const BEFORE = "2027-03-20T08:59:59Z";
const AT = "2027-03-20T09:00:00Z";
const AFTER = "2027-03-29T12:00:00Z";
/** As many step boundaries as the longest of them has; a shorter one ends before. */
const STEPS = 16;

interface Interrupted {
  subscriptionId: string;
  work: NonNullable<Job["work"]>;
  refId: string;
}

type BrandOf = () => SandboxBrand;

interface Kind {
  name: string;
  /** The subscription, days before. */
  make(club: Club, brandOf: BrandOf): Promise<string>;
  /** What brings about the work that is interrupted. */
  before?(club: Club, id: string): Promise<unknown>;
  work: Interrupted["work"];
  /** What it comes to, whoever died on the way. */
  status: string;
  cycles: readonly string[];
}

const weekly = (startAt: string) => ({ interval: "weekly", startAt });
const byCard = async (club: Club, brandOf: BrandOf, startAt: string, ...scenarios: string[]): Promise<string> => {
  const card = await club.card("approve", brandOf());
  if (scenarios.length > 0) await club.script(card, ...scenarios);
  return (await club.subscribe({ card, recurrence: weekly(startAt) })).body.id;
};
const byBank = async (club: Club, startAt: string, scenario?: string): Promise<string> => {
  const paymentMethod = { type: "pix_automatic", journey: "qr" };
  const options = scenario === undefined ? {} : { scenario };
  return (await club.subscribe({ paymentMethod, recurrence: weekly(startAt) }, options)).body.id;
};
const move = (verb: string) => (club: Club, id: string) =>
  club.client.make("PATCH", `/v1/subscriptions/${id}/${verb}`, { body: {} });

const PAID_TWICE = ["authorized", "authorized"];
const KINDS: readonly Kind[] = [
  {
    name: "due",
    make: (club, brandOf) => byCard(club, brandOf, "2027-03-20"),
    work: "due",
    status: "active",
    cycles: PAID_TWICE,
  },
  {
    name: "declined",
    make: (club, brandOf) => byCard(club, brandOf, "2027-03-20", "outcome=106"),
    work: "due",
    status: "active",
    cycles: PAID_TWICE,
  },
  {
    name: "unanswered",
    make: (club, brandOf) => byCard(club, brandOf, "2027-03-20", "fault=drop_response"),
    work: "due",
    status: "active",
    cycles: PAID_TWICE,
  },
  {
    name: "retried",
    make: (club, brandOf) => byCard(club, brandOf, "2027-03-19", "outcome=106"),
    work: "retry",
    status: "active",
    cycles: PAID_TWICE,
  },
  {
    name: "instructed",
    make: (club) => byBank(club, "2027-03-25"),
    work: "due",
    status: "active",
    cycles: ["authorized", "pending"],
  },
  {
    name: "mandate made",
    make: async () => "",
    before: (club) => byBank(club, "2027-03-28", "step=mandate;fault=http_status;status=429;times=1"),
    work: "mandate",
    status: "active",
    cycles: ["authorized"],
  },
  {
    name: "mandate ended",
    make: (club) => byBank(club, "2027-03-24"),
    before: move("cancel"),
    work: "mandate",
    status: "canceled",
    cycles: ["canceled"],
  },
  {
    name: "taken back",
    make: (club) => byBank(club, "2027-03-17"),
    before: move("pause"),
    work: "mandate",
    status: "paused",
    cycles: ["authorized", "retrying"],
  },
];

let program: string;
beforeAll(async () => {
  program = await bundled("lib/testing/kills/worker-program.ts", "kill-subscriptions", POINTS);
});
afterAll(() => rmSync(program, { force: true }));

test("workers die at every step of charges, retries, instructions and mandates: each cycle is paid once at most", {
  timeout: proofTimeout(120_000),
}, async () => {
  const [first, runs] = [proofFrom(), proofRuns(IN_SUITE)];
  const violations: string[] = [];
  const figures = { processesKilled: 0, operationsInterrupted: 0, operationsNotInterrupted: 0 };
  const points = new Set<string>();
  for (let done = 0; done < runs; done += AT_ONCE) {
    const seen = await killOnce(first + done, Math.min(AT_ONCE, runs - done));
    violations.push(...seen.violations);
    figures.processesKilled += 1;
    figures.operationsInterrupted += seen.held.length;
    figures.operationsNotInterrupted += seen.ran - seen.held.length;
    for (const at of seen.held) points.add(at);
  }
  recordProof({ ran: runs, violations, figures, met: { points: [...points] } });
  expect(violations).toEqual([]);
  expect(figures.operationsInterrupted).toBeGreaterThan(0);
});

/** One club, one process that dies, everything that follows, and what became of each. */
async function killOnce(first: number, count: number): Promise<{ violations: string[]; held: string[]; ran: number }> {
  const starting = startWorker(program, environment());
  const club = await openClub(MADE_AT);
  const chosen = Array.from({ length: count }, (_, index) => {
    const number = first + index;
    // Guarantee: the index is within the list.
    const kind = KINDS[number % KINDS.length] as Kind;
    return { kind, stopAt: 1 + ((number * 7 + Math.floor(number / KINDS.length)) % STEPS), id: "" };
  });
  // Of one brand the simulator has one approving number, and networks count the attempts of each.
  const brands = [...SANDBOX_BRANDS];
  for (const one of chosen) one.id = await one.kind.make(club, () => brands.shift() ?? "visa");
  await club.to(BEFORE);
  for (const one of chosen) one.id = String((await one.kind.before?.(club, one.id).then(madeId)) ?? one.id);
  const worker = await starting;
  const ids = chosen.map(({ id }) => id);
  for (const { id, kind, stopAt } of chosen) {
    const operationId = await refOf(id, kind.work);
    worker.give({ id, clientId: club.client.clientId, operationId, work: kind.work, at: AT, stopAt, holdsLocks: true });
  }
  await worker.settled(ids);
  worker.child.kill("SIGKILL");
  await systemSql()`
    update charges set lease_until = now() - interval '1 second'
     where client_id = ${club.client.clientId} and lease_until is not null`;
  await recoverCharges();
  await club.to(AT);
  await recoverCharges();
  await club.to(AFTER);
  const held = worker.told.flatMap(({ id, at }) => (at !== undefined && ids.includes(id) ? [at] : []));
  return { violations: await wrongsOf(club, chosen), held, ran: count };
}

/** A kind may make its subscription at the last moment. */
const madeId = (given: unknown): string | undefined => (typeof given === "string" ? given : undefined);

async function refOf(id: string, work: Interrupted["work"]): Promise<string> {
  const sql = systemSql();
  if (work === "due") return id;
  const [row] =
    work === "retry"
      ? await sql<{ id: string }[]>`
          select id from subscription_cycles where subscription_id = ${id} and status = 'retrying'`
      : await sql<{ id: string }[]>`select id from subscription_mandates where subscription_id = ${id}`;
  if (!row) throw new Error(`nothing to ${work} of ${id}`);
  return row.id;
}

async function wrongsOf(club: Club, chosen: readonly { id: string; kind: Kind; stopAt: number }[]): Promise<string[]> {
  const wrongs: string[] = [];
  const sql = systemSql();
  const { clientId } = club.client;
  for (const { id, kind, stopAt } of chosen) {
    const wrong = (text: string) => wrongs.push(`${kind.name} at ${stopAt}: ${text}`);
    const [{ status }, cycles] = [await club.read(id), await club.cycles(id)];
    if (status !== kind.status) wrong(`it is ${status}`);
    const states = cycles.map((cycle) => cycle.status);
    if (states.join() !== kind.cycles.join()) wrong(`its cycles are ${states.join()}`);
  }
  for (const { id: invariant, sql: broken } of SUBSCRIPTION_INVARIANTS) {
    const rows = await sql.unsafe<{ id: string }[]>(
      `with picked(id) as (select id from subscriptions where client_id = '${clientId}') ${broken}`,
    );
    for (const { id } of rows) {
      const of = chosen.find((one) => one.id === id);
      wrongs.push(`${of?.kind.name} at ${of?.stopAt}: ${invariant} does not hold`);
    }
  }
  const [books] = await sql<{ theirs: string; ours: string; mandates: number; banked: number }[]>`
    select (select coalesce(sum(m.amount), 0) from sandbox_movements m
             where m.client_id = ${clientId} and m.kind in ('capture', 'payment') and m.at <= ${AFTER}::timestamptz) as theirs,
           (select coalesce(sum(c.captured_amount), 0) from charges c where c.client_id = ${clientId}) as ours,
           (select count(*)::int from sandbox_mandates where client_id = ${clientId}) as mandates,
           (select count(*)::int from subscriptions where client_id = ${clientId} and method = 'pix_automatic') as banked`;
  if (books?.theirs !== books?.ours) wrongs.push(`the provider took ${books?.theirs}, we know of ${books?.ours}`);
  if (books?.mandates !== books?.banked) wrongs.push(`${books?.mandates} mandates for ${books?.banked} subscriptions`);
  return wrongs;
}
