import postgres from "postgres";

/** The owner's own connection to a run's database: it sets the clock, and looks where no role of the product may. */
export interface Owner {
  sql: postgres.Sql;
  setClock(ms: number): Promise<void>;
  /** Connections that wait for a lock. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}

/**
 * PostgreSQL's own `now()` gives way to one that tells the time of the run, for every statement of the product: leases
 * and due moments go by the virtual clock. Defaults of columns keep the server's time; nothing is decided by them.
 */
const VIRTUAL_NOW = `
  create schema if not exists sim;
  create unlogged table if not exists sim.clock (at timestamptz not null);
  delete from sim.clock;
  insert into sim.clock values ('2026-03-02T12:00:00Z');
  create or replace function sim.now() returns timestamptz language sql stable as 'select at from sim.clock';
  grant usage on schema sim to public;
  grant select on sim.clock to public;
  do $$ begin
    execute format('alter database %I set search_path = sim, public, pg_catalog', current_database());
    execute format('alter database %I set synchronous_commit = off', current_database());
    -- Every statement comes thousands of times with the same few rows: one plan each is enough.
    execute format('alter database %I set plan_cache_mode = force_generic_plan', current_database());
  end $$;`;

export async function openOwner(url: string): Promise<Owner> {
  const setup = postgres(url, { max: 1, onnotice: () => undefined });
  await setup.unsafe(VIRTUAL_NOW);
  await setup.end({ timeout: 5 });
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  let atMs = 0;
  return {
    sql,
    async setClock(ms) {
      if (ms === atMs) return;
      atMs = ms;
      await sql`update sim.clock set at = ${new Date(ms)}`;
    },
    async waiting() {
      const [row] = await sql<{ n: number }[]>`
        select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return row?.n ?? 0;
    },
    close: () => sql.end({ timeout: 5 }),
  };
}
