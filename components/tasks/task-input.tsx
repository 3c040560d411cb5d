"use client";

import Link from "next/link";
import { useId, useState } from "react";
import { ChoiceMatrix, type MatrixRow } from "@/components/tasks/choice-matrix";
import { classes } from "@/components/ui/classes";
import { Field, FieldProblem } from "@/components/ui/field";
import { Input, inputLook, Textarea } from "@/components/ui/input";

export interface TaskField {
  name: string;
  label: string;
  /** Instead of `label` where another field of the form says which of them it is. */
  labels?: readonly { text: string; when: keyof typeof WHEN }[];
  hint?: string | undefined;
  kind?:
    | "text"
    | "email"
    | "secret"
    | "current"
    | "code"
    | "number"
    | "amount"
    | "phone"
    | "time"
    | "long"
    | "choice"
    | "choices"
    | "matrix"
    | "moment"
    | "day"
    | "check"
    | "file";
  options?: readonly { value: string; label: string }[];
  /** Of choices: their options under headings, instead of `options`. */
  groups?: readonly { label: string; options: readonly { value: string; label: string }[] }[];
  /** Of a matrix: `options` are its columns. */
  rows?: readonly MatrixRow[];
  /** Offered while typing; other texts are taken as well. */
  suggestions?: readonly { value: string; label: string }[];
  initial?: string | undefined;
  isRequired?: boolean;
  /** Begins a part of a long form, under this heading. */
  part?: string;
  /** Kinds of files, as browsers name them. */
  accept?: string;
  /** Stands only while another field of the form says so. */
  when?: keyof typeof WHEN;
}

const TYPES: Partial<Record<NonNullable<TaskField["kind"]>, string>> = {
  email: "email",
  secret: "password",
  current: "password",
  moment: "datetime-local",
  day: "date",
  file: "file",
  phone: "tel",
  time: "time",
};

const KEYBOARDS: Partial<Record<NonNullable<TaskField["kind"]>, "numeric" | "decimal">> = {
  number: "numeric",
  amount: "decimal",
};

const COMPLETIONS: typeof TYPES = {
  email: "email",
  secret: "new-password",
  current: "current-password",
  code: "one-time-code",
};

/** Never given back to the page. */
const SECRETS = new Set<TaskField["kind"]>(["secret", "current", "code"]);

/** By CSS alone: without scripts too the field comes and goes with the choice. */
const WHEN = {
  chosen: "[form:has(option[value=chosen]:not(:checked))_&]:hidden",
  once: "[form:has([name=interval]_option[value=once]:not(:checked))_&]:hidden",
  /** What a bank is paid from, where files are how sellers are paid. */
  filed: "[form:has([name=payoutRail]_option[value=file]:not(:checked))_&]:hidden",
  /** How often a seller is paid. */
  weekly: "[form:not(:has([name$=transferInterval]_option[value=weekly]:checked))_&]:hidden",
  monthly: "[form:not(:has([name$=transferInterval]_option[value=monthly]:checked))_&]:hidden",
  repeated: "[form:has([name=interval]_option[value=once]:checked)_&]:hidden",
  /** Whose payments a fault is for, and whether it is chosen or written. */
  ofMerchant: "[form:not(:has([name=kind]_option[value=merchant]:checked))_&]:hidden",
  ofOther: "[form:has([name=kind]_option[value=merchant]:checked)_&]:hidden",
  isOutcome: "[form:has([name=outcome]_option[value=written]:checked)_&]:hidden",
  written: "[form:not(:has([name=outcome]_option[value=written]:checked))_&]:hidden",
  /** Of a mandate, or of a card: of how a subscription is paid. */
  mandated: "[form:not(:has([name=method]_option:is([value=pix],[value=pixNow]):checked))_&]:hidden",
  carded: "[form:has([name=method]_option:is([value=pix],[value=pixNow]):checked)_&]:hidden",
  /** Roles whose refunds have no limit, or that refund nothing. */
  limited:
    "[form:has([name=role]_:is([value=owner],[value=developer],[value=operations],[value=finance],[value=viewer]):checked)_&]:hidden",
  /** What the limit of an alert is measured in: by the metric, and whether it is a number or a distance from what is usual. */
  inPercent:
    "[form:has([name=metric]_:is([value=approval],[value=webhooks],[value=flow_approval]):checked):has([name=kind]_[value=anomaly]:checked)_&]:hidden [form:not(:has([name=metric]_:is([value=approval],[value=webhooks],[value=flow_approval]):checked)):has([name=kind]_[value=fixed]:checked)_&]:hidden",
  inPoints:
    "[form:has([name=kind]_[value=fixed]:checked)_&]:hidden [form:not(:has([name=metric]_:is([value=approval],[value=webhooks],[value=flow_approval]):checked))_&]:hidden",
  inMilliseconds:
    "[form:has([name=kind]_[value=anomaly]:checked)_&]:hidden [form:not(:has([name=metric]_[value=latency]:checked))_&]:hidden",
  counted:
    "[form:has([name=kind]_[value=anomaly]:checked)_&]:hidden [form:has([name=metric]_:is([value=approval],[value=webhooks],[value=flow_approval],[value=latency]):checked)_&]:hidden",
} as const;

interface TaskInputProps {
  field: TaskField;
  given: string | undefined;
  problem: string | undefined;
  /** Where the problem leads. */
  link?: { text: string; href: string } | undefined;
}

export function TaskInput({ field, given, problem, link }: TaskInputProps) {
  const {
    name,
    label,
    labels,
    hint,
    kind = "text",
    options = [],
    groups,
    rows = [],
    initial,
    isRequired,
    when,
    accept,
    suggestions,
  } = field;
  const shown = when && WHEN[when];
  const value = given ?? initial;
  // What is chosen stands in the page: an answer, with what was typed or without it, must not choose anew.
  const [begun, setBegun] = useState({ initial, chosen: value });
  if (begun.initial !== initial) setBegun({ initial, chosen: initial });
  const { chosen: choice } = begun;
  const problemId = useId();
  if (kind === "choices") {
    const chosen = new Set((choice ?? "").split(","));
    return (
      <fieldset
        aria-describedby={classes(problem && problemId, hint && `${problemId}-hint`) || undefined}
        className={classes("grid gap-2", shown)}
      >
        <legend className="mb-1 font-medium text-ink text-sm">{label}</legend>
        {hint ? (
          <p id={`${problemId}-hint`} className="text-ink-2 text-sm">
            {hint}
          </p>
        ) : null}
        {(groups ?? [{ label: "", options }]).map(({ label: heading, options: of }, at) => {
          const boxes = (
            <div key={heading} className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
              {of.map((option, index) => (
                <label
                  key={option.value}
                  className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2.5 text-ink text-sm"
                >
                  <input
                    type="checkbox"
                    name={name}
                    value={option.value}
                    defaultChecked={chosen.has(option.value)}
                    aria-invalid={problem && at === 0 && index === 0 ? true : undefined}
                    className="size-4.5 shrink-0 accent-(--accent)"
                  />
                  {option.label}
                </label>
              ))}
            </div>
          );
          if (!heading) return boxes;
          return (
            <fieldset key={heading} className="mt-1">
              <legend className="mb-1 font-medium text-ink-2 text-sm">{heading}</legend>
              {boxes}
            </fieldset>
          );
        })}
        {problem ? <FieldProblem id={problemId}>{problem}</FieldProblem> : null}
      </fieldset>
    );
  }
  if (kind === "matrix") {
    const of = { name, label, hint, rows, levels: options, chosen: choice ?? "", problem };
    return <ChoiceMatrix key={initial} {...of} className={shown} />;
  }
  if (kind === "check") {
    return (
      <label className="flex min-h-8 items-start gap-2.5 text-ink text-sm">
        <input
          type="checkbox"
          name={name}
          value="yes"
          defaultChecked={choice === "yes"}
          className="mt-0.5 size-4.5 shrink-0 accent-(--accent)"
        />
        <span>
          {label}
          {hint ? <span className="block text-ink-3">{hint}</span> : null}
        </span>
      </label>
    );
  }
  return (
    <Field
      label={
        labels?.map(({ text, when: isMeant }) => (
          <span key={text} className={WHEN[isMeant]}>
            {text}
          </span>
        )) ?? label
      }
      hint={hint}
      error={
        problem && link ? (
          <>
            {problem}{" "}
            <Link href={link.href} className="rounded-sm underline">
              {link.text}
            </Link>
          </>
        ) : (
          problem
        )
      }
      className={shown}
    >
      {(control) =>
        kind === "choice" ? (
          <select
            {...control}
            key={initial}
            name={name}
            defaultValue={choice}
            required={isRequired}
            className={classes(inputLook, "h-11 pr-2 sm:h-10")}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        ) : kind === "long" ? (
          <Textarea {...control} name={name} defaultValue={value} required={isRequired} rows={4} />
        ) : (
          <>
            <Input
              {...control}
              name={name}
              type={TYPES[kind] ?? "text"}
              inputMode={KEYBOARDS[kind]}
              autoComplete={COMPLETIONS[kind] ?? "off"}
              spellCheck={false}
              defaultValue={SECRETS.has(kind) || kind === "file" ? undefined : value}
              required={isRequired}
              list={suggestions && `${problemId}-list`}
              accept={accept}
              className={classes("h-11 sm:h-10", kind === "file" && "py-2 sm:py-1.5")}
            />
            {suggestions ? (
              <datalist id={`${problemId}-list`}>
                {suggestions.map((one) => (
                  <option key={one.value} value={one.value}>
                    {one.label}
                  </option>
                ))}
              </datalist>
            ) : null}
          </>
        )
      }
    </Field>
  );
}
