import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { type GivenParameters, oneOf, withParameters } from "@/app/(dashboard)/list-url";
import { Timeline, type TimelineEntry } from "@/components/charges/timeline";
import { Card, CardHeader } from "@/components/ui/card";
import { classes } from "@/components/ui/classes";

const KIND_TEXTS = {
  person: "timelinePeople",
  state: "timelineStates",
  notice: "timelineNotices",
} as const;
type Kind = keyof typeof KIND_TEXTS;

// Object.keys of the literal gives exactly its keys.
const KINDS = Object.keys(KIND_TEXTS) as Kind[];

export interface SortedEntry extends TimelineEntry {
  kind: Kind;
  /** Of one card of several; 1, 2, 3. */
  lane?: number | undefined;
}

/** Where the page stands, and what its address asks for. */
export interface Place {
  path: string;
  given: GivenParameters;
}

/** Shows developers the rows of the tables that moved it. */
export const ROWS_PARAMETER = "rows";

interface TimelineViewProps {
  entries: readonly SortedEntry[];
  hasMachineRows?: boolean;
}

/** The timeline, narrowed to one kind or one card when somebody asks: each choice is an address. */
export async function TimelineView({ entries, hasMachineRows, path, given }: Place & TimelineViewProps) {
  const t = await getTranslations("payments");
  const kind = KINDS.find((each) => each === oneOf(given, "kind"));
  const lanes = [...new Set(entries.flatMap(({ lane }) => lane ?? []))].sort((one, other) => one - other);
  const lane = lanes.find((each) => String(each) === oneOf(given, "lane"));
  const kinds = KINDS.filter((each) => entries.some((entry) => entry.kind === each));
  const shown = entries.filter(
    (entry) => (!kind || entry.kind === kind) && (lane === undefined || entry.lane === lane),
  );
  const href = (changes: Record<string, string | undefined>) => withParameters(path, given, changes);
  return (
    <Card>
      <CardHeader title={t("timelineTitle")} description={t("timelineText")} />
      {kinds.length > 1 || lanes.length > 1 ? (
        <nav aria-label={t("timelineFilter")} className="flex flex-wrap gap-1.5 px-5 pt-4">
          <Chip href={href({ kind: undefined, lane: undefined })} text={t("timelineAll")} isHere={!kind && !lane} />
          {kinds.length > 1
            ? kinds.map((each) => (
                <Chip
                  key={each}
                  href={href({ kind: each === kind ? undefined : each })}
                  text={t(KIND_TEXTS[each])}
                  isHere={each === kind}
                />
              ))
            : null}
          {lanes.map((each) => (
            <Chip
              key={each}
              href={href({ lane: each === lane ? undefined : String(each) })}
              text={t("timelineLane", { number: each })}
              isHere={each === lane}
            />
          ))}
          {hasMachineRows ? (
            <Chip
              href={href({ [ROWS_PARAMETER]: oneOf(given, ROWS_PARAMETER) ? undefined : "1" })}
              text={t("timelineRows")}
              isHere={oneOf(given, ROWS_PARAMETER) !== undefined}
            />
          ) : null}
        </nav>
      ) : null}
      {shown.length === 0 ? <p className="px-5 py-4 text-ink-3 text-sm">{t("timelineNone")}</p> : null}
      <Timeline entries={shown} />
    </Card>
  );
}

const Chip = ({ href, text, isHere }: { href: string; text: string; isHere: boolean }) => (
  <Link
    href={href}
    scroll={false}
    prefetch={false}
    aria-current={isHere ? "true" : undefined}
    className={classes(
      "inline-flex min-h-6 pointer-coarse:min-h-11 items-center rounded-full px-2.5 py-0.5 text-xs ring-1 ring-inset",
      isHere ? "bg-accent-soft font-medium text-accent-ink ring-accent/40" : "text-ink-2 ring-line hover:text-ink",
    )}
  >
    {text}
  </Link>
);
