import { classes } from "@/components/ui/classes";

/** A switch point: one track comes in, two go out. Drawn on a 24 grid; takes the colour of the text. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={classes("size-6", className)}>
      <path d="M8 2v20" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <path d="M8 16.5c0-6 8.5-5 8.5-14.5" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <circle cx="16.5" cy="19.5" r="2.5" fill="var(--signal)" />
    </svg>
  );
}
