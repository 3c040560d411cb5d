"use client";

import { Check } from "lucide-react";
import { DropdownMenu as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { classes } from "@/components/ui/classes";

/** Not modal: the rest of the page stays readable, and a click beside it only closes it. */
export const Dropdown = (props: ComponentProps<typeof Primitive.Root>) => <Primitive.Root modal={false} {...props} />;
export const DropdownTrigger = Primitive.Trigger;
export const DropdownRadioGroup = Primitive.RadioGroup;

const row =
  "flex min-h-9 pointer-coarse:min-h-11 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 text-ink text-sm -outline-offset-2 data-[highlighted]:bg-sunken data-[disabled]:text-ink-3 [&_svg]:size-4 [&_svg]:shrink-0";

export function DropdownContent({ className, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={6}
        align="end"
        collisionPadding={8}
        className={classes(
          "z-50 min-w-48 animate-pop rounded-lg border border-line bg-raised p-1 shadow-lg",
          className,
        )}
        {...rest}
      />
    </Primitive.Portal>
  );
}

export function DropdownItem({ className, ...rest }: ComponentProps<typeof Primitive.Item>) {
  return <Primitive.Item className={classes(row, className)} {...rest} />;
}

export function DropdownRadioItem({ className, children, ...rest }: ComponentProps<typeof Primitive.RadioItem>) {
  return (
    <Primitive.RadioItem className={classes(row, className)} {...rest}>
      {children}
      <Primitive.ItemIndicator className="ml-auto pl-4">
        <Check aria-hidden className="text-accent-ink" />
      </Primitive.ItemIndicator>
    </Primitive.RadioItem>
  );
}

export function DropdownLabel({ className, ...rest }: ComponentProps<typeof Primitive.Label>) {
  return <Primitive.Label className={classes("px-2.5 py-1.5 text-ink-3 text-xs", className)} {...rest} />;
}

export function DropdownSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-line" />;
}
