"use client";

import { Tabs as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { classes } from "@/components/ui/classes";

export const Tabs = Primitive.Root;

export function TabList({ className, ...rest }: ComponentProps<typeof Primitive.List>) {
  return <Primitive.List className={classes("flex gap-5 overflow-x-auto border-line border-b", className)} {...rest} />;
}

export function Tab({ className, ...rest }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={classes(
        "-mb-px whitespace-nowrap border-transparent border-b-2 forced-colors:border-[Canvas] px-0.5 pt-2 pb-2.5 font-medium text-ink-2 text-sm -outline-offset-2",
        "hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink",
        className,
      )}
      {...rest}
    />
  );
}

export const TabPanel = Primitive.Content;
