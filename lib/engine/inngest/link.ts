import type postgres from "postgres";
import type { Fault } from "@/lib/engine/inngest/faults";

/** Without a sign of life for this long a process takes no calls any more, and another registers. */
const LEASE_SECONDS = 10;
/** Inngest's own minute passes without a call only when something is wrong. */
export const SILENT_SECONDS = 90;
/** A server that lost its state does not know whom to call. */
const FORGOTTEN_SECONDS = 120;
/** Nobody was there to be called: a worker looks every few seconds. */
const ABSENT_SECONDS = 30;

export interface Serving {
  id: string;
  role: "web" | "worker";
  /** Origin under which Inngest reaches this process. */
  address: string;
}

export interface Link {
  server: string;
  registeredAt: Date | null;
  registeredAddress: string | null;
  registrationFault: Fault | null;
  eventsFault: Fault | null;
  calledAt: Date | null;
  toldFault: Fault | null;
  noticedAt: Date | null;
  /** Seconds since the last call, or since calls were to be expected. */
  quietSeconds: number;
  /** Seconds since the fault that was told began. */
  toldSeconds: number | null;
}

/** Another server is another story: nothing of the old one is true of it. */
export async function openEngineLink(sql: postgres.Sql, server: string): Promise<void> {
  await sql`
    insert into engine_link (id, server, since, watched_at) values (1, ${server}, now(), now())
    on conflict (id) do update set
      server = excluded.server, since = now(), watched_at = now(), registered_at = null, registered_address = null,
      registration_fault = null, events_fault = null, called_at = null, told_fault = null, told_at = null
    where engine_link.server <> excluded.server`;
}

/** The embedded engine needs no other server. */
export async function closeLink(sql: postgres.Sql): Promise<void> {
  await sql`delete from engine_link`;
  await sql`delete from engine_servers`;
}

export async function readEngineLink(sql: postgres.Sql): Promise<Link | undefined> {
  const [link] = await sql<Link[]>`
    select server, registered_at as "registeredAt", registered_address as "registeredAddress",
           registration_fault as "registrationFault", events_fault as "eventsFault", called_at as "calledAt",
           told_fault as "toldFault", noticed_at as "noticedAt",
           extract(epoch from now() - greatest(called_at, since))::float8 as "quietSeconds",
           extract(epoch from now() - told_at)::float8 as "toldSeconds"
      from engine_link`;
  return link;
}

/** A worker was here to be called; after a time without one the silence begins anew. */
export async function watch(sql: postgres.Sql): Promise<void> {
  await sql`
    update engine_link
       set since = case when watched_at < now() - ${ABSENT_SECONDS} * interval '1 second' then now() else since end,
           watched_at = now()`;
}

/**
 * Says that this process takes calls, and answers whether it is the one that has to register them now: one does,
 * a worker before a web process, and another one once it has been silent for its lease.
 */
export async function beat(sql: postgres.Sql, { id, role, address }: Serving): Promise<boolean> {
  const lease = sql`${LEASE_SECONDS} * interval '1 second'`;
  await sql`delete from engine_servers where seen_at < now() - 6 * ${lease}`;
  await sql`
    insert into engine_servers (id, role, address, seen_at) values (${id}, ${role}, ${address}, now())
    on conflict (id) do update set seen_at = now()`;
  const workers = sql`select id from engine_servers where role = 'worker' and seen_at > now() - ${lease}`;
  const [link] = await sql<{ mustRegister: boolean }[]>`
    update engine_link set registrar = ${id}, registrar_seen_at = now(),
           is_forgotten = is_forgotten or registrar is distinct from ${id}
     where (registrar is null or registrar = ${id} or registrar_seen_at < now() - ${lease}
            or (${role} = 'worker' and registrar not in (${workers})))
       and (${role} = 'worker' or not exists (${workers}))
    returning is_forgotten or registered_at is null
              or greatest(called_at, registered_at) < now() - ${FORGOTTEN_SECONDS} * interval '1 second' as "mustRegister"`;
  return link?.mustRegister ?? false;
}

/** Its place is taken at once. */
export async function leave(sql: postgres.Sql, id: string): Promise<void> {
  await sql`delete from engine_servers where id = ${id}`;
  await sql`update engine_link set registrar = null where registrar = ${id}`;
}

export async function noteRegistration(sql: postgres.Sql, address: string, fault: Fault | null): Promise<void> {
  if (fault !== null) {
    await sql`update engine_link set registration_fault = ${fault} where registration_fault is distinct from ${fault}`;
    return;
  }
  await sql`
    update engine_link
       set since = case when registered_at is null then now() else since end,
           registered_at = now(), registered_address = ${address}, registration_fault = null, is_forgotten = false`;
}

/** A server that answers again may have lost what it knew. */
export async function noteEvents(sql: postgres.Sql, fault: Fault | null): Promise<void> {
  await sql`
    update engine_link set events_fault = ${fault}, is_forgotten = is_forgotten or ${fault}::text is null
     where events_fault is distinct from ${fault}`;
}

export async function noteCall(sql: postgres.Sql): Promise<void> {
  await sql`
    update engine_link set called_at = now() where called_at is null or called_at < now() - interval '1 second'`;
}

/** True for the one process that tells of it. */
export async function noteTold(sql: postgres.Sql, fault: Fault | null): Promise<boolean> {
  const rows = await sql`
    update engine_link set told_fault = ${fault}, told_at = now()
     where told_fault is distinct from ${fault} returning id`;
  return rows.length > 0;
}
