import { Mark } from "@/components/brand/mark";
import { classes } from "@/components/ui/classes";

export function Wordmark({ className }: { className?: string }) {
  return (
    <span
      className={classes("inline-flex items-center gap-2 font-semibold text-ink text-lg tracking-tight", className)}
    >
      <Mark className="size-6 text-accent" />
      Trilho
    </span>
  );
}
