import { classes } from "@/components/ui/classes";

interface MomentProps {
  at: Date;
  /** In words, in the zone that the page names. */
  text: string;
  /** Of what clock, where it is not the one that the page goes by. */
  note?: string | undefined;
  className?: string;
}

/** A moment in the account's zone; UTC on hover and for machines. */
export function Moment({ at, text, note, className }: MomentProps) {
  const utc = at.toISOString();
  return (
    <time dateTime={utc} title={utc} className={classes("whitespace-nowrap tabular-nums", className)}>
      {text}
      {note ? <span className="block text-ink-3 text-xs"> {note}</span> : null}
    </time>
  );
}
