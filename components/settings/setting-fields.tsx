"use client";

import { RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { isTypedColour } from "@/components/settings/values";
import { Field, type FieldControl } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

export interface FieldTexts {
  fromAccount: string;
  fromTrilho: string;
  reset: string;
  resetOf: string;
  pick: string;
}

interface SettingFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: string;
  /** What the account's default says; empty where Trilho's own is behind. */
  behind: string;
  texts: FieldTexts;
  onReset: () => void;
  children: (control: FieldControl) => ReactNode;
}

/** A field that may be left to what stands behind it: it says which of the two it is, and can be given back. */
export function SettingField({ label, hint, error, value, behind, texts, onReset, children }: SettingFieldProps) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      aside={
        value === "" ? (
          <span className="rounded-full bg-sunken px-2 py-0.5 text-ink-2 text-xs ring-1 ring-line ring-inset">
            {behind === "" ? texts.fromTrilho : texts.fromAccount}
          </span>
        ) : (
          <button
            type="button"
            onClick={onReset}
            aria-label={texts.resetOf.replace("{name}", label)}
            className="inline-flex min-h-6 items-center gap-1 rounded-sm text-accent-ink text-xs hover:underline"
          >
            <RotateCcw aria-hidden className="size-3.5" />
            {texts.reset}
          </button>
        )
      }
    >
      {children}
    </Field>
  );
}

interface ColourFieldProps extends Pick<SettingFieldProps, "label" | "error" | "value" | "behind" | "texts"> {
  name: string;
  /** The colour that holds now, set here or not. */
  used: string;
  onChange: (colour: string) => void;
}

export function ColourField({ name, label, error, value, behind, used, texts, onChange }: ColourFieldProps) {
  return (
    <SettingField label={label} error={error} value={value} behind={behind} texts={texts} onReset={() => onChange("")}>
      {(control) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label={texts.pick.replace("{name}", label)}
            value={sixDigits(isTypedColour(value) ? value : used)}
            onChange={(event) => onChange(event.currentTarget.value)}
            className="h-11 w-14 cursor-pointer rounded-md border border-control bg-surface p-1 sm:h-10"
          />
          <Input
            {...control}
            name={name}
            autoComplete="off"
            spellCheck={false}
            maxLength={7}
            placeholder={used}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value.trim())}
            className="h-11 font-mono sm:h-10"
          />
        </div>
      )}
    </SettingField>
  );
}

const sixDigits = (colour: string): string =>
  colour.length === 4 ? `#${[...colour.slice(1)].map((digit) => digit + digit).join("")}` : colour;
