import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import postgres from "postgres";

/** What a running process may become, statement by statement; its login is nothing by itself. */
export const RUNTIME_ROLES = ["trilho_app", "trilho_system", "trilho_vault", "trilho_limited"] as const;

const ATTRIBUTES = "login noinherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls";
const INSUFFICIENT_PRIVILEGE = "42501";
const OPTIONS_SINCE = 160_000;

export interface Login {
  readonly name: string;
  readonly password: string;
}

export function loginOf(url: string): Login {
  const { username, password } = new URL(url);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/**
 * Makes the login of the running processes where it is missing, and a member of their roles, none of whose rights it
 * has until it takes the role. The connection is the owner's.
 */
export async function admitLogin(sql: postgres.Sql, login: Login): Promise<void> {
  const [here] = await sql<{ owner: string; database: string; version: number }[]>`
    select session_user as owner, current_database() as database,
           current_setting('server_version_num')::int as version`;
  if (!here || here.owner === login.name) return;
  // Nobody may put a temporary table in front of a real one for the next user of the connection.
  await sql.unsafe(`revoke temporary on database ${quoted(here.database)} from public`);
  try {
    await ensureLogin(sql, login);
    await becomeMember(sql, login.name, here.version);
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error(
      `${here.owner} may not set up the login ${login.name} of DATABASE_URL (${error.message}). As an administrator: ` +
        `create role ${login.name} ${ATTRIBUTES} password '…'; grant ${RUNTIME_ROLES.join(", ")} to ${login.name};`,
      { cause: error },
    );
  }
}

/** An existing login keeps its password. */
async function ensureLogin(sql: postgres.Sql, { name, password }: Login): Promise<void> {
  const [known] = await sql<{ inherits: boolean }[]>`
    select rolinherit as inherits from pg_roles where rolname = ${name}`;
  if (known?.inherits) await sql.unsafe(`alter role ${quoted(name)} noinherit`);
  if (known) return;
  await sql.unsafe(`create role ${quoted(name)} ${ATTRIBUTES} password ${literal(verifierOf(password))}`);
}

async function becomeMember(sql: postgres.Sql, name: string, version: number): Promise<void> {
  const hasOptions = version >= OPTIONS_SINCE;
  for (const role of RUNTIME_ROLES) {
    const [is] = hasOptions
      ? await sql`
          select 1 from pg_auth_members m
           where m.member = ${name}::regrole and m.roleid = ${role}::regrole
             and m.set_option and not m.inherit_option and not m.admin_option`
      : await sql`
          select 1 from pg_auth_members m
           where m.member = ${name}::regrole and m.roleid = ${role}::regrole and not m.admin_option`;
    if (is) continue;
    await sql.unsafe(
      `grant ${role} to ${quoted(name)}${hasOptions ? " with admin false, inherit false, set true" : ""}`,
    );
  }
}

/** For the server of this checkout: the login with exactly this password, whatever was there before. */
export async function setLogin(sql: postgres.Sql, { name, password }: Login): Promise<void> {
  const [known] = await sql`select 1 from pg_roles where rolname = ${name}`;
  const verb = known ? "alter" : "create";
  await sql.unsafe(`${verb} role ${quoted(name)} ${ATTRIBUTES} password ${literal(verifierOf(password))}`);
}

const ITERATIONS = 4_096;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

/** What PostgreSQL stores of a password (RFC 5803): the password itself never stands in a statement or a log. */
function verifierOf(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const salted = pbkdf2Sync(password.normalize("NFKC"), salt, ITERATIONS, KEY_BYTES, "sha256");
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest();
  const stored = createHash("sha256").update(keyOf("Client Key")).digest("base64");
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString("base64")}$${stored}:${keyOf("Server Key").toString("base64")}`;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
