"use client";

import { Check, ChevronDown } from "lucide-react";
import { Select as Primitive } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { classes } from "@/components/ui/classes";
import type { FieldControl } from "@/components/ui/field";
import { inputLook } from "@/components/ui/input";

export interface SelectOption {
  value: string;
  label: ReactNode;
  isDisabled?: boolean;
}

interface SelectProps extends ComponentProps<typeof Primitive.Root> {
  options: readonly SelectOption[];
  placeholder?: string;
  control?: FieldControl;
  className?: string;
  "aria-label"?: string;
}

export function Select({ options, placeholder, control, className, "aria-label": label, ...rest }: SelectProps) {
  return (
    <Primitive.Root {...rest}>
      <Primitive.Trigger
        aria-label={label}
        className={classes(inputLook, "flex h-10 items-center justify-between gap-2 sm:h-9", className)}
        {...control}
      >
        <Primitive.Value placeholder={placeholder} />
        <Primitive.Icon asChild>
          <ChevronDown aria-hidden className="size-4 text-ink-3" />
        </Primitive.Icon>
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          className="z-50 max-h-72 min-w-(--radix-select-trigger-width) animate-pop overflow-hidden rounded-lg border border-line bg-raised shadow-lg"
        >
          <Primitive.Viewport className="p-1">
            {options.map((option) => (
              <Primitive.Item
                key={option.value}
                value={option.value}
                disabled={option.isDisabled}
                className="flex min-h-8 pointer-coarse:min-h-11 cursor-default select-none items-center justify-between gap-6 rounded-md px-2.5 text-ink text-sm -outline-offset-2 data-[highlighted]:bg-sunken data-[disabled]:text-ink-3"
              >
                <Primitive.ItemText>{option.label}</Primitive.ItemText>
                <Primitive.ItemIndicator>
                  <Check aria-hidden className="size-4 text-accent-ink" />
                </Primitive.ItemIndicator>
              </Primitive.Item>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
