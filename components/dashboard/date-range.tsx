"use client";

import { type FormEvent, useTransition } from "react";
import { useTravel } from "@/components/dashboard/use-travel";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";
import { inputLook } from "@/components/ui/input";

interface DateRangeProps {
  path: string;
  /** Of both fields together. */
  label: string;
  from: string;
  to: string;
  kept: readonly [name: string, value: string][];
  problem: string | undefined;
  texts: { from: string; to: string; action: string };
}

const PROBLEM = "date-range-problem";

/** Two days that lead to an address; an ordinary form without scripts. */
export function DateRange({ path, label, from, to, kept, problem, texts }: DateRangeProps) {
  const travel = useTravel();
  const [isBusy, startTransition] = useTransition();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const filled = [...new FormData(event.currentTarget)].flatMap(([name, value]): [string, string][] =>
      typeof value === "string" && value !== "" ? [[name, value]] : [],
    );
    const query = new URLSearchParams(filled).toString();
    startTransition(() => {
      travel.push(query ? `${path}?${query}` : path, { scroll: false });
    });
  };
  const day = (name: "from" | "to", value: string) => (
    <label className="flex min-w-0 items-center gap-2 text-ink-2 text-sm max-sm:flex-[1_1_9rem]">
      {texts[name]}
      <input
        key={value}
        name={name}
        type="date"
        defaultValue={value}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? PROBLEM : undefined}
        className={classes(inputLook, "h-11 w-auto min-w-0 px-2 max-sm:flex-1 sm:h-9")}
      />
    </label>
  );
  return (
    <form action={path} onSubmit={submit} aria-label={label} aria-busy={isBusy || undefined} className="max-sm:w-full">
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        {day("from", from)}
        {day("to", to)}
        <Button type="submit" isBusy={isBusy} className="h-11 max-sm:flex-[1_1_100%] sm:h-9">
          {texts.action}
        </Button>
      </div>
      {problem ? (
        <p id={PROBLEM} role="alert" className="mt-1 text-danger text-sm">
          {problem}
        </p>
      ) : null}
    </form>
  );
}
