import { invalid } from "@/lib/errors";
import { dayBegins } from "@/lib/reports/zones";
import { addSeconds, DAY_SECONDS } from "@/lib/time";

export const MOST_DAYS = 366;
const MOST_SECONDS = MOST_DAYS * DAY_SECONDS;

/** An instant, or a day of the report's zone. */
export type Moment = { readonly at: Date } | { readonly day: string };

const first = (moment: Moment, zone: string): Date => ("at" in moment ? moment.at : dayBegins(moment.day, zone));

/** Instants that the database reads. */
const FIRST_MS = Date.parse("0001-01-01T00:00:00.000Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");
const LAST_DAY = "9999-12-31";

function last(moment: Moment, zone: string): Date {
  if ("at" in moment) return moment.at;
  if (moment.day === LAST_DAY) return new Date(LAST_MS);
  const next = new Date(`${moment.day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return new Date(dayBegins(next.toISOString().slice(0, 10), zone).getTime() - 1);
}

type Given = { gte?: Moment | undefined; lte?: Moment | undefined } | undefined;
interface Asked {
  zone: string;
  now: Date;
}

/** Both ends included. One bound alone: the other is 366 days away, or now if that is earlier (spec/rulings.md 38). */
function boundsOf(given: Given, { zone, now }: Asked): { since: Date; until: Date } {
  const from = given?.gte && first(given.gte, zone);
  const to = given?.lte && last(given.lte, zone);
  const latest = from && new Date(Math.min(addSeconds(from, MOST_SECONDS).getTime(), now.getTime()));
  const until = to ?? (latest && from && latest < from ? from : latest) ?? now;
  return { since: from ?? addSeconds(until, -MOST_SECONDS), until };
}

export type SpanFault = "outside" | "reversed" | "long";

const faultOf = ({ since, until }: ReturnType<typeof boundsOf>): SpanFault | undefined => {
  if (since.getTime() < FIRST_MS || until.getTime() > LAST_MS) return "outside";
  if (since > until) return "reversed";
  return until.getTime() - since.getTime() > MOST_SECONDS * 1_000 ? "long" : undefined;
};

/** Why nothing is reported of it. */
export const spanFault = (given: Given, asked: Asked): SpanFault | undefined => faultOf(boundsOf(given, asked));

const FAULTS: Readonly<Record<SpanFault, string>> = {
  outside: ": must lie between the years 1 and 9999",
  reversed: ".lte: must not be before gte",
  long: `: must span at most ${MOST_DAYS} days`,
};

export function spanOf(given: Given, { member, ...asked }: Asked & { member: string }): { since: Date; until: Date } {
  const bounds = boundsOf(given, asked);
  const fault = faultOf(bounds);
  if (fault) throw invalid(`${member}${FAULTS[fault]}`);
  return bounds;
}
