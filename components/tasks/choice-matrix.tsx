import { useId } from "react";
import { classes } from "@/components/ui/classes";
import { FieldProblem } from "@/components/ui/field";

export interface MatrixRow {
  value: string;
  label: string;
  /** Beside the label, as the API writes it. */
  code?: string;
  /** Of the levels those that the row has, beside the first. */
  levels: readonly string[];
}

interface ChoiceMatrixProps {
  /** A row is sent as `name.value`. */
  name: string;
  label: string;
  hint?: string | undefined;
  rows: readonly MatrixRow[];
  /** The first one is chosen where nothing is. */
  levels: readonly { value: string; label: string }[];
  /** `row:level`, separated by commas. */
  chosen: string;
  problem: string | undefined;
  className?: string | undefined;
}

/** One level for each row: buttons of a row are one group, so arrows move along it and Tab goes to the next. */
export function ChoiceMatrix({ name, label, hint, rows, levels, chosen, problem, className }: ChoiceMatrixProps) {
  const id = useId();
  const given = new Map(
    chosen.split(",").map((pair): [string, string] => {
      const [row = "", level = ""] = pair.split(":");
      return [row, level];
    }),
  );
  const columns =
    "grid grid-cols-[minmax(0,1fr)_repeat(3,3.75rem)] items-center sm:grid-cols-[minmax(0,1fr)_repeat(3,5rem)]";
  return (
    <fieldset
      aria-describedby={classes(problem && `${id}-problem`, hint && `${id}-hint`) || undefined}
      className={classes("grid gap-1.5", className)}
    >
      <legend className="mb-1 font-medium text-ink text-sm">{label}</legend>
      {hint ? (
        <p id={`${id}-hint`} className="text-ink-3 text-sm">
          {hint}
        </p>
      ) : null}
      {problem ? <FieldProblem id={`${id}-problem`}>{problem}</FieldProblem> : null}
      <div className="rounded-md border border-line">
        <div aria-hidden className={classes(columns, "border-line border-b bg-sunken py-1.5 pl-3 text-ink-2 text-xs")}>
          <span />
          {levels.map(({ value, label: title }) => (
            <span key={value} className="text-center">
              {title}
            </span>
          ))}
        </div>
        {rows.map((row, place) => (
          <div
            key={row.value}
            role="radiogroup"
            // The problem is above all rows: the focus goes to the first of them.
            {...(problem && place === 0 ? { "aria-invalid": true, tabIndex: -1 } : {})}
            aria-labelledby={`${id}-${row.value}`}
            className={classes(columns, "border-line border-b py-0.5 pl-3 last:border-b-0")}
          >
            <span id={`${id}-${row.value}`} className="min-w-0 py-1 text-ink text-sm">
              {row.label}
              {row.code ? <code className="block break-all font-mono text-ink-3 text-xs">{row.code}</code> : null}
            </span>
            {levels.map(({ value, label: title }, index) =>
              index === 0 || row.levels.includes(value) ? (
                <label key={value} className="flex min-h-10 cursor-pointer items-center justify-center">
                  <span className="sr-only">{title}</span>
                  <input
                    type="radio"
                    name={`${name}.${row.value}`}
                    value={value}
                    defaultChecked={(given.get(row.value) ?? levels[0]?.value) === value}
                    className="size-4.5 accent-(--accent)"
                  />
                </label>
              ) : (
                <span key={value} aria-hidden className="text-center text-ink-3">
                  –
                </span>
              ),
            )}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
