import Link from "next/link";
import type { ComponentProps } from "react";
import { type ButtonLook, buttonLook } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";

interface LinkButtonProps extends ComponentProps<typeof Link>, ButtonLook {}

/** Goes somewhere, so it is a link; only looks like a button. */
export function LinkButton({ tone, size, className, ...rest }: LinkButtonProps) {
  return <Link className={classes(buttonLook({ tone, size }), className)} {...rest} />;
}
