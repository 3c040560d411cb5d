"use client";

import { Check, Minus } from "lucide-react";
import { Checkbox as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { classes } from "@/components/ui/classes";

export function Checkbox({ className, ...rest }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={classes(
        "grid size-5 shrink-0 place-items-center rounded-sm border border-control bg-surface",
        "data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-on-accent",
        "data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent data-[state=indeterminate]:text-on-accent",
        "disabled:opacity-55 aria-invalid:border-danger",
        className,
      )}
      {...rest}
    >
      <Primitive.Indicator className="group">
        <Minus aria-hidden className="hidden size-3.5 group-data-[state=indeterminate]:block" />
        <Check aria-hidden className="size-3.5 group-data-[state=indeterminate]:hidden" />
      </Primitive.Indicator>
    </Primitive.Root>
  );
}
