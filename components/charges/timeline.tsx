import { Moment } from "@/components/dashboard/moment";
import { classes } from "@/components/ui/classes";

export type Tone = "neutral" | "success" | "warning" | "danger" | "info" | "person";

export interface TimelineEntry {
  id: string;
  title: string;
  who: string | undefined;
  tone: Tone;
  at: { at: Date; text: string };
}

const DOTS: Record<Tone, string> = {
  neutral: "bg-line-strong",
  success: "bg-success",
  warning: "bg-warning",
  danger: "bg-danger",
  info: "bg-info",
  person: "bg-surface ring-2 ring-accent ring-inset",
};

export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="px-5 py-4">
      {entries.map(({ id, title, who, tone, at }, index) => (
        <li key={id} className="relative grid grid-cols-[0.75rem_minmax(0,1fr)] gap-x-3.5 pb-5 last:pb-0">
          {index < entries.length - 1 ? (
            <span aria-hidden className="absolute top-4 bottom-[-0.250rem] left-[0.344rem] w-px bg-line-strong" />
          ) : null}
          <span aria-hidden className={classes("relative mt-1 size-3 rounded-full", DOTS[tone])} />
          <div>
            <p className="font-medium text-ink text-sm">{title}</p>
            {who ? <p className="text-ink-2 text-sm">{who}</p> : null}
            <Moment {...at} className="text-ink-3 text-xs" />
          </div>
        </li>
      ))}
    </ol>
  );
}
