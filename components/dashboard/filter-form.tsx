"use client";

import { Search, SlidersHorizontal } from "lucide-react";
import { type FormEvent, type ReactNode, useTransition } from "react";
import { useTravel } from "@/components/dashboard/use-travel";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";
import { inputLook } from "@/components/ui/input";

export interface FilterChoice {
  name: string;
  label: string;
  chosen: string;
  options: readonly { value: string; label: string }[];
}

export interface FilterText {
  name: string;
  label: string;
  placeholder: string;
  value: string;
  /** Why what stands in it narrows nothing, or leaves nothing. */
  problem?: string | undefined;
  /** Narrower: with the digits' keyboard, or a day. */
  kind?: "amount" | "day" | undefined;
}

/** Filters that are not asked for every day: folded away until one of them is used. */
export interface MoreFilters {
  label: string;
  isOpen: boolean;
  choices: readonly FilterChoice[];
  texts: readonly FilterText[];
}

interface FilterFormProps {
  path: string;
  searchId: string;
  search: string;
  choices: readonly FilterChoice[];
  /** Parts of the address that the form keeps. */
  kept: readonly [name: string, value: string][];
  more?: MoreFilters;
  texts: { searchLabel: string; searchPlaceholder: string; searchAction: string };
}

/** An ordinary form that leads to an address; with scripts a choice is taken at once and empty parts are left out. */
export function FilterForm({ path, searchId, search, choices, kept, more, texts }: FilterFormProps) {
  const travel = useTravel();
  const [isBusy, startTransition] = useTransition();
  const go = (form: HTMLFormElement) => {
    const filled = [...new FormData(form)].flatMap(([name, value]): [string, string][] =>
      typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [],
    );
    const query = new URLSearchParams(filled).toString();
    startTransition(() => {
      travel.push(query ? `${path}?${query}` : path, { scroll: false });
    });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    go(event.currentTarget);
  };
  return (
    <search>
      <form action={path} onSubmit={submit} aria-busy={isBusy || undefined} className="flex flex-wrap gap-2">
        {kept.map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <div className="relative min-w-0 flex-[1_1_100%] md:flex-[1_1_20rem]">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-3"
          />
          <input
            key={search}
            id={searchId}
            name="q"
            type="search"
            defaultValue={search}
            aria-label={texts.searchLabel}
            placeholder={texts.searchPlaceholder}
            autoComplete="off"
            spellCheck={false}
            className={classes(inputLook, "h-11 text-ellipsis pr-3 pl-9 sm:h-10 md:pr-12")}
          />
          <kbd
            aria-hidden
            className="pointer-events-none absolute top-1/2 right-3 hidden -translate-y-1/2 rounded-sm border border-line bg-sunken px-1.5 font-mono text-ink-3 text-xs md:block"
          >
            /
          </kbd>
        </div>
        {choices.map((choice) => (
          <Choice key={`${choice.name} ${choice.chosen}`} choice={choice} onChosen={go} />
        ))}
        <Button type="submit" tone="primary" isBusy={isBusy} className="h-11 max-sm:flex-[1_1_100%] sm:h-10">
          {texts.searchAction}
        </Button>
        {more ? <More more={more} onChosen={go} /> : null}
      </form>
    </search>
  );
}

function Choice({ choice, onChosen }: { choice: FilterChoice; onChosen: (form: HTMLFormElement) => void }) {
  const { name, label, chosen, options } = choice;
  return (
    <select
      name={name}
      aria-label={label}
      defaultValue={chosen}
      onChange={(event) => event.currentTarget.form && onChosen(event.currentTarget.form)}
      className={classes(inputLook, "h-11 w-auto min-w-0 flex-auto pr-2 sm:h-10 md:max-w-56 md:flex-none")}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

function More({ more, onChosen }: { more: MoreFilters; onChosen: (form: HTMLFormElement) => void }) {
  return (
    <details open={more.isOpen} data-filters className="group min-w-0 max-sm:flex-[1_1_100%] open:flex-[1_1_100%]">
      <summary className="inline-flex min-h-8 sm:min-h-10 cursor-pointer list-none items-center gap-1.5 rounded-md px-1 text-ink-2 text-sm hover:text-ink">
        <SlidersHorizontal aria-hidden className="size-4" />
        {more.label}
      </summary>
      <div className="mt-2 flex flex-wrap gap-2">
        {more.choices.map((choice) => (
          <Choice key={`${choice.name} ${choice.chosen}`} choice={choice} onChosen={onChosen} />
        ))}
        {more.texts.map(({ name, label, placeholder, value, kind, problem }) => (
          <Labelled key={`${name} ${value}`} name={name} label={kind === "day" ? label : undefined} problem={problem}>
            <input
              name={name}
              type={kind === "day" ? "date" : "text"}
              aria-label={label}
              aria-invalid={problem ? true : undefined}
              aria-describedby={problem ? problemId(name) : undefined}
              placeholder={placeholder}
              defaultValue={kind === "day" ? value.slice(0, DAY_CHARS) : value}
              autoComplete="off"
              spellCheck={false}
              inputMode={kind === "amount" ? "decimal" : undefined}
              className={classes(
                inputLook,
                "h-11 w-auto min-w-0 sm:h-10",
                kind === undefined ? "flex-[1_1_14rem]" : "flex-[1_1_8rem] sm:max-w-36",
              )}
            />
          </Labelled>
        ))}
      </div>
    </details>
  );
}

const DAY_CHARS = "2026-11-22".length;

const problemId = (name: string): string => `filter-${name}-problem`;

interface LabelledProps {
  name: string;
  label: string | undefined;
  problem: string | undefined;
  children: ReactNode;
}

/** A date says nothing of itself while it is empty; what is wrong with a field stands below it. */
function Labelled({ name, label, problem, children }: LabelledProps) {
  const field =
    label === undefined ? (
      children
    ) : (
      <span className="flex flex-[1_1_11rem] items-center gap-2 sm:flex-none">
        <span aria-hidden className="text-ink-2 text-sm">
          {label}
        </span>
        {children}
      </span>
    );
  if (problem === undefined) return field;
  return (
    <span className="flex min-w-0 flex-col gap-1">
      {field}
      <span id={problemId(name)} role="alert" className="max-w-64 text-danger text-sm">
        {problem}
      </span>
    </span>
  );
}
