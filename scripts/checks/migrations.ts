import { type Migration, readMigrations } from "@/db/migrating/files";
import { compareVersions, SCHEMA_VERSION, versionText } from "@/db/schema-version";

/**
 * What a migration after the baseline may do: nothing that stops writers of a large table, and nothing that code of
 * the release before cannot live with, unless its version is a new major. Whatever no rule knows is refused.
 */
export interface Objection {
  readonly tag: string;
  /** The beginning of the statement; empty for an objection to the whole file. */
  readonly statement: string;
  readonly why: string;
}

interface Scene {
  /** Tables made by the same file: nobody uses them yet. */
  readonly made: ReadonlySet<string>;
  readonly isMajor: boolean;
  /** The statements of the file before this one. */
  readonly earlier: readonly string[];
  /** Names of unique indexes: code may name their columns in ON CONFLICT. */
  readonly unique: ReadonlySet<string>;
}

interface Rule {
  readonly shape: RegExp;
  /** Answers what is wrong; undefined lets the statement pass. The first rule that fits and does not abstain decides. */
  readonly objection: (found: RegExpExecArray, scene: Scene) => string | undefined | typeof UNDECIDED;
}

const NAME = String.raw`("?[\w.]+"?(?:\."?\w+"?)?)`;
const TABLE = `^alter table (?:if exists )?(?:only )?${NAME} `;
const rule = (shape: string, objection: Rule["objection"]): Rule => ({ shape: new RegExp(shape, "i"), objection });
const onlyIf = (isAllowed: boolean, why: string) => (isAllowed ? undefined : why);
const allowed = () => undefined;
const onlyMajor = ({ isMajor }: Scene) =>
  onlyIf(isMajor, "code of the release before may use it: only a new major version takes something away");
/** Not for this rule to say: the next one that fits decides. */
const UNDECIDED = Symbol("undecided");

const CONSTANT = /^(?:-?\d+(?:\.\d+)?|'(?:[^']|'')*'(?:::[\w" ]+(?:\(\d+\))?(?:\[\])?)?|true|false|null)$/i;
const nameOf = (text: string | undefined): string =>
  (text ?? "")
    .replaceAll('"', "")
    .replace(/^public\./i, "")
    .toLowerCase();

const SEVERAL_ACTIONS = /, ?(?:add|drop|alter|validate|set|rename|enable|disable|owner)\b/i;

/** Without texts, and without what stands in parentheses. */
function blanked(line: string): string {
  let text = line.replace(/'(?:[^']|'')*'|"[^"]*"/g, "");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/\([^()]*\)/g, "");
  }
  return text;
}

const RULES: readonly Rule[] = [
  rule(`^create table (?:if not exists )?${NAME}`, allowed),
  rule("^create (?:schema|extension) if not exists ", allowed),
  rule("^create sequence ", allowed),
  rule("^create type .* as enum", allowed),
  rule("^alter type .* add value if not exists ", allowed),
  rule("^comment on ", allowed),
  rule(`^create (?:unique )?index concurrently if not exists ${NAME} on `, allowed),
  rule(
    `^create (?:unique )?index (concurrently )?(?:if not exists )?\\S* ?on (?:only )?${NAME}`,
    ([, concurrently, table], { made }) =>
      concurrently
        ? "IF NOT EXISTS: a build that was cut off is begun again"
        : onlyIf(made.has(nameOf(table)), "CREATE INDEX CONCURRENTLY IF NOT EXISTS: a plain one stops every writer"),
  ),
  rule(`^drop index concurrently if exists ${NAME}`, (found, scene) =>
    scene.unique.has(nameOf(found[1])) ? onlyMajor(scene) : undefined,
  ),
  rule("^drop index ", () => "DROP INDEX CONCURRENTLY IF EXISTS: a plain one stops every reader"),
  rule(`${TABLE}`, ([, table], { made }) => (made.has(nameOf(table)) ? undefined : UNDECIDED)),
  rule(TABLE, ({ input }) =>
    SEVERAL_ACTIONS.test(blanked(input)) ? "one action a statement: each has its own short lock" : UNDECIDED,
  ),
  rule(`${TABLE}validate constraint `, allowed),
  rule(`${TABLE}add constraint ${NAME} (?:unique|primary key) using index `, allowed),
  rule(`${TABLE}add constraint ${NAME} (?:foreign key|check)\\b.* not valid$`, allowed),
  rule(
    `${TABLE}add constraint ${NAME} (?:foreign key|check)\\b`,
    () => "NOT VALID, and VALIDATE CONSTRAINT in a later statement: checking all rows stops writers",
  ),
  rule(
    `${TABLE}add (?:constraint|primary key|unique|foreign key|check|exclude)\\b`,
    () => "build a unique index concurrently and add the constraint USING INDEX; others NOT VALID and with a name",
  ),
  rule(`${TABLE}add (?:column )?(?:if not exists )?${NAME} (.*)$`, ([, , , definition = ""]) =>
    columnObjection(definition),
  ),
  rule(
    `${TABLE}alter (?:column )?${NAME} (?:set data )?type `,
    () => "a change of type may rewrite the table: add a column, fill it in batches, then use it",
  ),
  rule(`${TABLE}alter (?:column )?${NAME} set not null`, ([, , column], { earlier }) => {
    const says = new RegExp(
      `add constraint ${NAME} check \\(\\(*"?${nameOf(column)}"? is not null\\)*\\) not valid`,
      "i",
    );
    const names = earlier.flatMap((statement) => nameOf(says.exec(statement)?.[1]) || []);
    const isValid = names.some((name) =>
      earlier.some((statement) => new RegExp(`validate constraint "?${name}"?$`, "i").test(statement)),
    );
    return onlyIf(
      isValid,
      "first a CHECK (column IS NOT NULL) NOT VALID, validated: otherwise all rows are read under a lock",
    );
  }),
  rule(`${TABLE}alter (?:column )?${NAME} (?:set default|drop not null|set statistics|set storage)`, allowed),
  rule(`${TABLE}set \\((?:fillfactor|autovacuum_\\w+|toast\\.\\w+) ?=`, allowed),
  rule(`${TABLE}drop constraint (?:if exists )?${NAME}`, ([, , name = ""], scene) =>
    scene.unique.has(nameOf(name)) ? onlyMajor(scene) : undefined,
  ),
  rule(`${TABLE}(?:drop|rename|alter (?:column )?${NAME} drop default)`, (_found, scene) => onlyMajor(scene)),
  rule("^drop (?:table|view|type|function|sequence|schema|extension) ", (_found, scene) => onlyMajor(scene)),
  rule(
    "^(?:update|delete|insert|truncate|merge|with|do|call|select)\\b",
    () => "rows are changed by code, in batches; a migration changes the shape of tables alone",
  ),
];

/** The statement in one line, without comments. */
export const plain = (statement: string): string =>
  statement
    .replace(/--[^\n]*/g, "")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/;$/, "")
    .trim();

function columnObjection(definition: string): string | undefined {
  if (/\b(?:generated|serial|bigserial|smallserial)\b/i.test(definition))
    return "a generated column rewrites the table: fill a plain one in batches";
  if (/\b(?:references|unique|primary key|check)\b/i.test(definition))
    return "constraints of a new column are statements of their own";
  const given = /\bdefault (.+?)(?: not null| null)?$/i.exec(definition)?.[1]?.trim();
  if (given !== undefined)
    return onlyIf(
      CONSTANT.test(given),
      "a default that is no constant rewrites the table: set it in a later statement",
    );
  return onlyIf(
    !/\bnot null\b/i.test(definition),
    "nullable, or with a constant default: code of the release before does not write it",
  );
}

/** Everything that is wrong with the migrations as a whole and one by one. The first of them is the baseline. */
export function objectionsTo(migrations: readonly Migration[]): Objection[] {
  const objections: Objection[] = [];
  const say = (tag: string, why: string, statement = "") =>
    objections.push({ tag, statement: statement.slice(0, 80), why });
  const unique = new Set<string>();
  const unvalidated = new Map<string, string>();
  for (const [index, { tag, version, statements }] of migrations.entries()) {
    const before = migrations[index - 1]?.version;
    const lines = statements.map(plain);
    if (before && compareVersions(version, before) <= 0)
      say(tag, `its version ${versionText(version)} is not above the ${versionText(before)} before it`);
    if (before) {
      const scene = { made: tablesMadeBy(lines), isMajor: version.major > before.major, unique };
      for (const [at, line] of lines.entries()) {
        const why = objectionTo(line, { ...scene, earlier: lines.slice(0, at) });
        if (why) say(tag, why, line);
        noteValidity(line, tag, unvalidated);
      }
    }
    for (const line of lines) {
      const [, name] = /^create unique index (?:concurrently )?(?:if not exists )?("?\w+"?)/i.exec(line) ?? [];
      if (name) unique.add(nameOf(name));
      for (const [, constraint] of line.matchAll(/constraint "?(\w+)"? (?:unique|primary key)/gi))
        unique.add(nameOf(constraint));
    }
  }
  for (const [name, tag] of unvalidated) say(tag, `the constraint ${name} is never validated`);
  const last = migrations.at(-1);
  if (last && compareVersions(last.version, SCHEMA_VERSION) > 0)
    say(last.tag, `its version ${versionText(last.version)} is above SCHEMA_VERSION in db/schema-version.ts`);
  return objections;
}

function objectionTo(line: string, scene: Scene): string | undefined {
  if (hasSecondStatement(line)) return "one statement between two breakpoints: each is run by itself";
  for (const { shape, objection } of RULES) {
    const found = shape.exec(line);
    if (!found) continue;
    const why = objection(found, scene);
    if (why !== UNDECIDED) return why;
  }
  return "no rule of scripts/checks/migrations.ts knows this statement: add one that says why it stops nobody";
}

const hasSecondStatement = (line: string): boolean => line.replace(/'(?:[^']|'')*'|"[^"]*"/g, "").includes(";");

const tablesMadeBy = (lines: readonly string[]): Set<string> =>
  new Set(
    lines.flatMap((line) => {
      const [, name] = new RegExp(`^create table (?:if not exists )?${NAME}`, "i").exec(line) ?? [];
      return name ? [nameOf(name)] : [];
    }),
  );

function noteValidity(line: string, tag: string, unvalidated: Map<string, string>): void {
  const [, added] = /add constraint "?(\w+)"? .* not valid$/i.exec(line) ?? [];
  if (added) unvalidated.set(nameOf(added), tag);
  const [, checked] = /(?:validate|drop) constraint (?:if exists )?"?(\w+)"?/i.exec(line) ?? [];
  if (checked) unvalidated.delete(nameOf(checked));
}

export const migrationObjections = (): Objection[] => objectionsTo(readMigrations());
