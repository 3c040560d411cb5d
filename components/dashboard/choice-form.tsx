"use client";

import { useTransition } from "react";
import { useTravel } from "@/components/dashboard/use-travel";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";
import { inputLook } from "@/components/ui/input";

interface ChoiceFormProps {
  path: string;
  name: string;
  label: string;
  chosen: string;
  options: readonly { value: string; label: string }[];
  kept: readonly [name: string, value: string][];
  /** Of the button that stands there without scripts. */
  action: string;
}

/** One choice that leads to an address; taken at once with scripts. */
export function ChoiceForm({ path, name, label, chosen, options, kept, action }: ChoiceFormProps) {
  const travel = useTravel();
  const [isBusy, startTransition] = useTransition();
  return (
    <form action={path} aria-busy={isBusy || undefined} className="flex min-w-0 gap-2 max-sm:w-full">
      {kept.map(([keptName, value]) => (
        <input key={keptName} type="hidden" name={keptName} value={value} />
      ))}
      <select
        key={chosen}
        name={name}
        aria-label={label}
        defaultValue={chosen}
        onChange={({ currentTarget: select }) => {
          const query = new URLSearchParams([...kept, [name, select.value]]);
          if (!select.value) query.delete(name);
          startTransition(() => {
            // Whoever stays is shown where they are.
            if (!travel.push(`${path}?${query}`, { scroll: false })) select.value = chosen;
          });
        }}
        className={classes(inputLook, "h-11 w-auto min-w-0 max-w-full pr-2 max-sm:flex-1 sm:h-9")}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <noscript>
        <Button type="submit">{action}</Button>
      </noscript>
    </form>
  );
}
