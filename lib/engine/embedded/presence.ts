import postgres from "postgres";

/**
 * Every worker holds this lock, shared, on a connection of its own; the server lets go of it when the process dies. A worker
 * that sees no other holder is the only one, and all leases but its own are those of the dead.
 */
const WORKERS_LOCK = 4_782_202;

export interface Presence {
  /** The worker's own connection, with the lock: what must not queue behind the work of the steps goes here. */
  connection(): Promise<postgres.Sql>;
  /** Ends at once the leases of dead workers when no other worker lives. Nothing may be claimed meanwhile. */
  endLeasesOfTheDead(ownOwners: readonly string[]): Promise<void>;
  release(): Promise<void>;
}

export function createPresence(sql: postgres.Sql): Presence {
  let session: postgres.Sql | undefined;

  /** A connection that was cut comes back without the lock, so it is looked for every time. */
  const connection = async (): Promise<postgres.Sql> => {
    session ??= single(sql);
    await session`
      select pg_advisory_lock_shared(${WORKERS_LOCK})
       where not exists (
         select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and objid = ${WORKERS_LOCK})`;
    return session;
  };

  return {
    connection,
    async endLeasesOfTheDead(ownOwners) {
      const own = await connection();
      await own`
        update engine_runs set owner = null, lease_until = null
         where lease_until is not null and owner <> all (${[...ownOwners]}::uuid[])
           and not exists (
             select from pg_locks
              where locktype = 'advisory' and objid = ${WORKERS_LOCK} and pid <> pg_backend_pid()
                and database = (select oid from pg_database where datname = current_database()))`;
    },
    async release() {
      await session?.end({ timeout: 1 });
      session = undefined;
    },
  };
}

/**
 * A client of one connection beside the pool. A reserved connection of the pool would not do: when it is cut, the driver
 * writes to a socket that is no more, and the process dies.
 */
function single(sql: postgres.Sql): postgres.Sql {
  const options = { ...sql.options, max: 1, idle_timeout: null, max_lifetime: null };
  // Guarantee: the driver takes options it has parsed before, as its own listen() does; its types do not say so.
  return postgres(options as unknown as postgres.Options<Record<string, never>>);
}
