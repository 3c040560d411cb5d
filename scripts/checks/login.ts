import postgres from "postgres";
import { RUNTIME_ROLES } from "@/db/migrating/login";
import { SCHEMA_VERSION, type SchemaVersion, standingOf, versionText } from "@/db/schema-version";
import type { Finding } from "@/scripts/checks/checks";

const CONNECT_TIMEOUT_SECONDS = 5;
const problem = (line: string): Finding => ({ kind: "problem", line });
const ROLES: readonly string[] = RUNTIME_ROLES;

interface Rights {
  login: string;
  attributes: string[];
  owned: string | null;
  granted: string | null;
  inherits: boolean;
  roles: string[];
}

/** Whether the login of the running processes is a member of their roles and nothing else. */
export async function checkLogin(url: string, ownerUrl: string): Promise<Finding[]> {
  return withSql(url, "DATABASE_URL", async (sql) => {
    const rights = await rightsOf(sql);
    const found = rights ? wrongs(rights) : [];
    // Somebody else migrates where the one address given is a login without rights of its own.
    return url === ownerUrl && found.length > 0 ? [OWNS_TABLES] : found;
  });
}

const OWNS_TABLES: Finding = {
  kind: "warning",
  line:
    "DATABASE_URL owns the tables, so row security does not hold against the running processes: set " +
    "DATABASE_OWNER_URL to this address and DATABASE_URL to a login of its own, which the next start sets up",
};

function wrongs({ login, attributes, owned, granted, inherits, roles }: Rights): Finding[] {
  const extra = roles.filter((role) => !ROLES.includes(role));
  const missing = ROLES.filter((role) => !roles.includes(role));
  const who = `The login ${login} of DATABASE_URL`;
  return [
    ...attributes.map((attribute) => problem(`${who} is ${attribute}: alter role ${login} no${attribute}`)),
    ...(owned ? [problem(`${who} owns ${owned}: alter its owner to the login of DATABASE_OWNER_URL`)] : []),
    ...(granted ? [problem(`${who} has rights of its own on ${granted}: revoke them, it has those of its roles`)] : []),
    ...(inherits
      ? [problem(`${who} inherits the rights of its roles: alter role ${login} noinherit, start again`)]
      : []),
    ...extra.map((role) => problem(`${who} is a member of ${role}: revoke ${role} from ${login}`)),
    ...missing.map((role) => problem(`${who} is no member of ${role}: start once with DATABASE_OWNER_URL set`)),
  ];
}

async function rightsOf(sql: postgres.Sql): Promise<Rights | undefined> {
  const [row] = await sql<Omit<Rights, "inherits">[]>`
    select r.rolname as login,
           array_remove(array[
             case when r.rolsuper then 'superuser' end, case when r.rolcreaterole then 'createrole' end,
             case when r.rolcreatedb then 'createdb' end, case when r.rolreplication then 'replication' end,
             case when r.rolbypassrls then 'bypassrls' end], null) as attributes,
           coalesce(
             (select 'the table ' || c.oid::regclass from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p') limit 1),
             (select 'the schema ' || n.nspname from pg_namespace n where n.nspowner = r.oid and n.nspname !~ '^pg_' limit 1),
             (select 'the function ' || p.proname from pg_proc p where p.proowner = r.oid limit 1),
             (select 'the database ' || d.datname from pg_database d where d.datdba = r.oid limit 1)) as owned,
           coalesce(
             (select c.oid::regclass::text from pg_class c, aclexplode(c.relacl) a where a.grantee = r.oid limit 1),
             (select 'the schema ' || n.nspname from pg_namespace n, aclexplode(n.nspacl) a where a.grantee = r.oid limit 1)
           ) as granted,
           array(select g.rolname::text from pg_auth_members m join pg_roles g on g.oid = m.roleid
                  where m.member = r.oid) as roles
      from pg_roles r where r.rolname = session_user`;
  return row && { ...row, inherits: await inheritsAny(sql) };
}

/** From PostgreSQL 16 on it is said of each membership, before of the login alone. */
async function inheritsAny(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ inherits: boolean }[]>`
    select coalesce(bool_or(coalesce((to_jsonb(m) ->> 'inherit_option')::boolean, r.rolinherit)), false) as inherits
      from pg_roles r join pg_auth_members m on m.member = r.oid where r.rolname = session_user`;
  return row?.inherits ?? false;
}

/** Whether this code may run on the schema that stands. */
export const checkSchema = (ownerUrl: string): Promise<Finding[]> =>
  withSql(ownerUrl, "DATABASE_OWNER_URL", async (sql) => {
    const [made] = await sql<{ clients: boolean; versioned: boolean }[]>`
      select to_regclass('public.clients') is not null as clients,
             to_regclass('trilho.schema_version') is not null as versioned`;
    if (!made?.versioned)
      return made?.clients
        ? [problem("The database was made by an unreleased version of Trilho: start with an empty one")]
        : [{ kind: "warning", line: "The database has no tables yet: the first start makes them" }];
    const [stored] = await sql<SchemaVersion[]>`select major, minor from trilho.schema_version`;
    const [ours, theirs] = [versionText(SCHEMA_VERSION), stored ? versionText(stored) : "none"];
    const standing = standingOf(stored);
    if (standing === "ahead")
      return [problem(`The schema is version ${theirs} and this code runs on ${ours}: start the newer release`)];
    if (standing === "behind")
      return [{ kind: "warning", line: `The schema is version ${theirs}: the next start brings it to ${ours}` }];
    return [];
  });

async function withSql(url: string, name: string, work: (sql: postgres.Sql) => Promise<Finding[]>): Promise<Finding[]> {
  const sql = postgres(url, { max: 1, connect_timeout: CONNECT_TIMEOUT_SECONDS, onnotice: () => {} });
  try {
    return await work(sql);
  } catch (error) {
    // A driver's message may quote the address with its password: only the code is shown.
    const code = error instanceof Error && "code" in error ? String(error.code) : "no answer";
    return [problem(`The database cannot be examined: check ${name} (${code})`)];
  } finally {
    await sql.end({ timeout: 1 });
  }
}
