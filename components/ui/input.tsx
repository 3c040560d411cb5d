import type { ComponentProps } from "react";
import { classes } from "@/components/ui/classes";

/** 16 px on phones: smaller text makes them zoom in. */
export const inputLook = [
  "block w-full min-w-0 rounded-md border border-control bg-surface px-3 text-ink shadow-sm",
  "text-[1rem] sm:text-sm placeholder:text-ink-3 pointer-coarse:min-h-11",
  "disabled:cursor-not-allowed disabled:bg-sunken disabled:text-ink-3",
  "aria-invalid:border-danger",
];

export function Input({ className, type = "text", ...rest }: ComponentProps<"input">) {
  return <input type={type} className={classes(inputLook, "h-10 sm:h-9", className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea className={classes(inputLook, "min-h-20 py-2", className)} {...rest} />;
}
