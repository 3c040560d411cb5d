"use client";

import { Tooltip as Primitive } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";

const DELAY_MS = 300;

interface TooltipProps {
  text: ReactNode;
  side?: ComponentProps<typeof Primitive.Content>["side"];
  /** The thing explained; it must have a name of its own, for a tooltip is not shown on touch. */
  children: ReactNode;
}

export function Tooltip({ text, side = "top", children }: TooltipProps) {
  return (
    <Primitive.Provider delayDuration={DELAY_MS}>
      <Primitive.Root>
        <Primitive.Trigger asChild>{children}</Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content
            side={side}
            sideOffset={6}
            className="z-50 max-w-64 animate-fade rounded-md bg-ink px-2.5 py-1.5 text-canvas text-xs shadow-md"
          >
            {text}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  );
}
