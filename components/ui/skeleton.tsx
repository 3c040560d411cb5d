import { classes } from "@/components/ui/classes";

/** Holds the place of what is coming; give it the final size. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classes("animate-breathe rounded-md bg-line", className)} />;
}
