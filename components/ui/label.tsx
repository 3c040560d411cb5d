import type { ComponentProps } from "react";
import { classes } from "@/components/ui/classes";

export function Label({ className, htmlFor, children, ...rest }: ComponentProps<"label"> & { htmlFor: string }) {
  return (
    <label htmlFor={htmlFor} className={classes("block font-medium text-ink text-sm", className)} {...rest}>
      {children}
    </label>
  );
}
