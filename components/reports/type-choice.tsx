"use client";

import { useTravel } from "@/components/dashboard/use-travel";
import { classes } from "@/components/ui/classes";
import { inputLook } from "@/components/ui/input";

interface TypeChoiceProps {
  label: string;
  types: readonly { href: string; text: string; isHere: boolean }[];
}

/** Too many kinds for tabs. */
export function TypeChoice({ label, types }: TypeChoiceProps) {
  const travel = useTravel();
  return (
    <select
      aria-label={label}
      value={types.find(({ isHere }) => isHere)?.href}
      onChange={({ currentTarget: { value } }) => travel.push(value)}
      className={classes(inputLook, "h-11 max-w-md pr-2 sm:h-9")}
    >
      {types.map(({ href, text }) => (
        <option key={href} value={href}>
          {text}
        </option>
      ))}
    </select>
  );
}
