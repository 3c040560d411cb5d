import postgres from "postgres";

/** Numbers and CVVs that were given to the product under test: whatever still shows them is a leak (spec/invariants.md C1, C2). */
export interface Canaries {
  pans: readonly string[];
  cvvs: readonly string[];
}

export interface CardDataHit {
  /** `public.charges.details`, or the name a text was given under. */
  where: string;
  form: "plain" | "separated" | "reversed" | "hex" | "base64" | "cvv in context" | "cvv alone";
  /** First six and last four digits of a number; a CVV as it is. */
  canary: string;
}

const SEPARATORS = /%20|&nbsp;|\\u00a0|[\s\-._+]/g;
const BASE64_RUN = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
const DEEPEST = 2;

/** Searches one text for every canary in every form; base64 inside it is opened and searched too. */
export function scanText(where: string, text: string, canaries: Canaries): CardDataHit[] {
  return unique([...panHits(where, text, canaries.pans, 0), ...cvvHits(where, text, canaries.cvvs)]);
}

/** Logs, answers, mails, files: anything that is text, by name. */
export const scanTexts = (texts: Readonly<Record<string, string>>, canaries: Canaries): CardDataHit[] =>
  Object.entries(texts).flatMap(([where, text]) => scanText(where, text, canaries));

function panHits(where: string, text: string, pans: readonly string[], depth: number): CardDataHit[] {
  const bare = text.replace(SEPARATORS, "");
  const lower = text.toLowerCase();
  const found = pans.flatMap((pan) => {
    const canary = `${pan.slice(0, 6)}…${pan.slice(-4)}`;
    const forms: [CardDataHit["form"], boolean][] = [
      ["plain", text.includes(pan)],
      ["separated", !text.includes(pan) && bare.includes(pan)],
      ["reversed", bare.includes(reversed(pan))],
      ["hex", lower.includes(Buffer.from(pan).toString("hex"))],
      ["base64", base64Forms(pan).some((form) => text.includes(form))],
    ];
    return forms.flatMap(([form, isFound]): CardDataHit[] => (isFound ? [{ where, form, canary }] : []));
  });
  if (depth === DEEPEST) return found;
  for (const [run] of text.matchAll(BASE64_RUN)) {
    const opened = Buffer.from(run, "base64").toString("latin1");
    for (const hit of panHits(where, opened, pans, depth + 1)) found.push({ ...hit, form: "base64" });
  }
  return found;
}

const reversed = (digits: string): string => [...digits].reverse().join("");

/** What base64 makes of the digits wherever in a longer text they stand: the characters that depend on them alone. */
function base64Forms(pan: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(pan)]).toString("base64");
    const first = Math.ceil((before * 8) / 6);
    const whole = Math.floor(((before + pan.length) * 8) / 6);
    return encoded.slice(first, whole);
  });
}

const CVV_NAME = "(?:cvv2?|cvc2?|csc|cid|security.?code|verification.?(?:code|value))\\w*";

/** Three digits stand everywhere: they count beside a name that says what they are, and alone as a whole value. */
function cvvHits(where: string, text: string, cvvs: readonly string[]): CardDataHit[] {
  return cvvs.flatMap((cvv): CardDataHit[] => {
    const named = new RegExp(`${CVV_NAME}[^0-9a-z]{1,12}${cvv}(?!\\d)`, "i");
    return named.test(text) ? [{ where, form: "cvv in context", canary: cvv }] : [];
  });
}

function unique(hits: CardDataHit[]): CardDataHit[] {
  const seen = new Map(hits.map((hit) => [`${hit.where} ${hit.form} ${hit.canary}`, hit]));
  return [...seen.values()];
}

interface Column {
  schema: string;
  table: string;
  column: string;
  type: string;
}

const ROWS_AT_A_TIME = 500;

/** Reads every column of every row of every schema; the vault's too, for what is sealed shows nothing either. */
export async function scanForCardData(url: string, canaries: Canaries): Promise<CardDataHit[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const [role] = await sql`select rolsuper or rolbypassrls as sees_all from pg_roles where rolname = current_user`;
    if (!role?.sees_all) throw new Error("the scan needs a role that row security hides nothing from");
    const columns = await sql<Column[]>`
      select n.nspname as schema, c.relname as table, a.attname as column, a.atttypid::regtype::text as type
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relkind in ('r', 'm') and n.nspname !~ '^(pg_|information_schema)'
       order by 1, 2, a.attnum`;
    const hits: CardDataHit[] = [];
    for (const table of byTable(columns)) hits.push(...(await scanTable(sql, table, canaries)));
    return unique(hits);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function byTable(columns: readonly Column[]): Column[][] {
  const tables = new Map<string, Column[]>();
  for (const column of columns) {
    const name = `${column.schema}.${column.table}`;
    tables.set(name, [...(tables.get(name) ?? []), column]);
  }
  return [...tables.values()];
}

async function scanTable(sql: postgres.Sql, columns: readonly Column[], canaries: Canaries): Promise<CardDataHit[]> {
  const [first] = columns;
  if (!first) return [];
  const hits: CardDataHit[] = [];
  const values = columns.map(({ column, type }) =>
    type === "bytea" ? sql`${sql(column)}` : sql`${sql(column)}::text`,
  );
  const list = values.reduce((joined, value) => sql`${joined}, ${value}`);
  const rows = sql`select ${list} from ${sql(first.schema)}.${sql(first.table)}`.values().cursor(ROWS_AT_A_TIME);
  for await (const batch of rows) {
    for (const row of batch) {
      columns.forEach((column, index) => {
        // Guarantee: every column was selected as text or as bytea.
        const value = row[index] as string | Buffer | null;
        if (value !== null) hits.push(...scanValue(column, value, canaries));
      });
    }
  }
  return hits;
}

const TEXT = /^(text|character|bytea|json)/;

function scanValue({ schema, table, column, type }: Column, value: string | Buffer, canaries: Canaries): CardDataHit[] {
  const where = `${schema}.${table}.${column}`;
  const text = typeof value === "string" ? value : value.toString("latin1");
  const hits = scanText(where, text, canaries);
  if (typeof value !== "string") hits.push(...packedHits(where, value, canaries.pans));
  if (!TEXT.test(type)) return hits;
  // The column's name is the context of its value.
  hits.push(...cvvHits(where, `${column}=${text}`, canaries.cvvs));
  for (const cvv of canaries.cvvs) if (text === cvv) hits.push({ where, form: "cvv alone", canary: cvv });
  return hits;
}

/** Packed decimal digits, two to a byte, read as the number in hexadecimal. */
const packedHits = (where: string, value: Buffer, pans: readonly string[]): CardDataHit[] =>
  panHits(where, value.toString("hex"), pans, DEEPEST).filter(({ form }) => form === "plain");
