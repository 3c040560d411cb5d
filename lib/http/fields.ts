import { z } from "zod";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

/** Fields shared by many resources; each says what it takes in the words of the error's details. */

export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "must be a uuid")
  .transform((text) => text.toLowerCase())
  .meta({ type: "string", format: "uuid" });

/** An amount in cents. */
export const amount = (least: number) => z.int().min(least).max(Number.MAX_SAFE_INTEGER);

export const text = (longest: number, least = 1) => z.string().min(least).max(longest);

/** An address that may stand as a link on a page: https, a name with a dot, nobody's password. */
export function isPublicWebAddress(given: string): boolean {
  if (!/^https:\/\/[^\s\\"'<>]+$/i.test(given) || !URL.canParse(given)) return false;
  const { username, password, hostname } = new URL(given);
  return username === "" && password === "" && hostname.includes(".");
}

/** An optional member: null equals absent (spec/contract.md 1.1). */
export const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => (value === null ? undefined : value));

export const instantOut = z
  .date()
  .transform((at) => at.toISOString())
  .meta({ type: "string", format: "date-time" });

const DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/;
/** What four digits of a year can say, in UTC: an offset may lead beyond it, where the database reads no instant. */
const FIRST_MS = Date.parse("0001-01-01T00:00:00.000Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

function parseInstant(given: string): Date | undefined {
  const zoned = /(?:z|[+-]\d{2}:\d{2})$/i.test(given) ? given : `${given}Z`;
  if (!/^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})$/.test(zoned))
    return undefined;
  const at = new Date(zoned);
  const isInReach = at.getTime() >= FIRST_MS && at.getTime() <= LAST_MS;
  return isInReach && isCalendarDay(given.slice(0, 10)) ? at : undefined;
}

export const isCalendarDay = (day: string): boolean =>
  DATE.test(day) &&
  !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) &&
  new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

/** An instant with any offset; without one it is read as UTC. */
export const instantIn = z
  .string()
  .transform((given, issues) => {
    const at = parseInstant(given);
    if (!at) issues.addIssue({ code: "custom", message: "must be an RFC 3339 date-time" });
    return at ?? z.NEVER;
  })
  .meta({ type: "string", format: "date-time" });

export const day = z
  .string()
  .refine(isCalendarDay, "must be a date YYYY-MM-DD")
  .meta({ type: "string", format: "date" });

/** `created`: an instant, or a date meaning that UTC day. Answers the half-open span [from, until). */
export const createdFilter = z
  .string()
  .transform((given, issues) => {
    if (isCalendarDay(given)) {
      const from = new Date(`${given}T00:00:00Z`);
      return { from, until: withinReach(addSeconds(from, DAY_SECONDS)) };
    }
    const at = parseInstant(given);
    if (!at) issues.addIssue({ code: "custom", message: "must be an RFC 3339 date-time or a date" });
    return at ? { from: at, until: withinReach(new Date(at.getTime() + 1)) } : z.NEVER;
  })
  .meta({ type: "string", description: "an instant, or a date = that UTC day" });

const withinReach = (at: Date): Date => new Date(Math.min(at.getTime(), LAST_MS));

/** Several values in one parameter, comma-separated; an unknown one is refused. */
export const commaList = <const T extends readonly [string, ...string[]]>(values: T) =>
  z
    .string()
    .transform((given) => given.split(",").map((value) => value.trim()))
    .pipe(z.array(z.enum(values)).min(1))
    .meta({ type: "string", description: `comma-separated: ${values.join(", ")}` });

export const yesNo = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .meta({ type: "boolean" });

export const freeObject = z.record(z.string(), z.unknown());
