import { classes } from "@/components/ui/classes";

interface MomentProps {
  at: Date;
  /** In words, in the zone that the page names. */
  text: string;
  className?: string;
}

/** A moment in the account's zone; UTC on hover and for machines. */
export function Moment({ at, text, className }: MomentProps) {
  const utc = at.toISOString();
  return (
    <time dateTime={utc} title={utc} className={classes("whitespace-nowrap tabular-nums", className)}>
      {text}
    </time>
  );
}
