"use client";

import { useId } from "react";
import { classes } from "@/components/ui/classes";
import { Field } from "@/components/ui/field";
import { Input, inputLook } from "@/components/ui/input";

export interface Option {
  value: string;
  label: string;
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className={classes(inputLook, "h-10 pr-2 sm:h-9")}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface ChosenProps {
  label: string;
  hint: string;
  options: readonly Option[];
  chosen: readonly string[];
  isOpen?: boolean;
  onChange: (chosen: string[]) => void;
}

/** Several of many, in the order in which they were chosen. */
export function Chosen({ label, hint, options, chosen, isOpen, onChange }: ChosenProps) {
  const id = useId();
  return (
    <details open={isOpen || chosen.length > 0}>
      <summary className="cursor-pointer py-1 font-medium text-ink text-sm">{label}</summary>
      <p id={id} className="mb-2 text-ink-3 text-sm">
        {hint}
      </p>
      <fieldset
        aria-label={label}
        aria-describedby={id}
        className="grid max-h-64 gap-x-4 overflow-y-auto sm:grid-cols-2"
      >
        {options.map((option) => (
          <label key={option.value} className="flex min-h-8 items-center gap-2.5 text-ink text-sm">
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, option.value] : chosen.filter((one) => one !== option.value))
              }
              className="size-4.5 shrink-0 accent-(--accent)"
            />
            {option.label}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

interface WholeNumberProps {
  label: string;
  hint?: string;
  value: number;
  onChange: (value: number) => void;
}

/** What is no number stays to be seen and is told as a fault. */
export function WholeNumber({ label, hint, value, onChange }: WholeNumberProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          autoComplete="off"
          value={Number.isNaN(value) ? "" : String(value)}
          onChange={({ target }) => onChange(target.value.trim() === "" ? Number.NaN : Number(target.value))}
        />
      )}
    </Field>
  );
}
