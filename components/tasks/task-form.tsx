"use client";

import { Download } from "lucide-react";
import { Fragment, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { TellShown } from "@/components/charges/shown-once";
import { FormProblem } from "@/components/tasks/form-problem";
import { PlanNote } from "@/components/tasks/plan-note";
import { type TaskField, TaskInput } from "@/components/tasks/task-input";
import { useTask } from "@/components/tasks/use-task";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";
import { CopyButton } from "@/components/ui/copy-button";
import { LinkButton } from "@/components/ui/link-button";

export interface TaskState {
  problem?: string;
  /** Beside their fields. */
  problems?: Readonly<Record<string, string>>;
  /** Where the problem of a field leads. */
  links?: Readonly<Record<string, { text: string; href: string }>>;
  /** What was typed, given back; never a secret. */
  given?: Readonly<Record<string, string>>;
  /** What would happen, to be read before the same is sent once more; another form has another key. */
  plan?: { key: string; heading: string; lines: readonly string[]; button: string };
  /** Shown this once. */
  secret?: {
    label: string;
    value: string;
    note: string;
    /** Offered to keep it in. */
    file?: { name: string; text: string; button: string };
  };
}

export type TaskAction = (before: TaskState, form: FormData) => Promise<TaskState>;

interface TaskFormProps {
  /** Sent as they are. */
  hidden?: Readonly<Record<string, string>>;
  fields?: readonly TaskField[];
  /** The plan: what will happen. */
  children?: ReactNode;
  /** What the fields do not hold, below them. */
  after?: ReactNode;
  isDangerous?: boolean;
  /** Many short fields: side by side where there is room. */
  isWide?: boolean;
  onAct: TaskAction;
  /** Tells what is wrong with the form and does nothing: asked where the browser refuses a field, to tell all at once. */
  onCheck?: TaskAction;
  closeHref: string;
  texts: { button: string; back: string; copy: string; done: string };
}

/** One thing to do, with its fields; works without scripts. */
export function TaskForm({
  hidden = {},
  fields = [],
  children,
  after,
  isDangerous,
  isWide,
  onAct,
  onCheck,
  closeHref,
  texts,
}: TaskFormProps) {
  const [state, form, isBusy] = useTask(onAct, onCheck);
  if (state.secret) return <ShownOnce secret={state.secret} closeHref={closeHref} texts={texts} />;
  return (
    <form {...form} className="grid gap-4 px-5 pt-4 pb-5">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormProblem state={state} />
      {children}
      {partsOf(fields).map(({ heading, of }, index) => {
        const inputs = (
          <div className={classes("grid gap-4", isWide && "items-start gap-x-8 sm:grid-cols-2")}>
            {of.map((field) => (
              <TaskInput
                key={field.name}
                field={field}
                given={state.given?.[field.name]}
                problem={state.problems?.[field.name]}
                link={state.links?.[field.name]}
              />
            ))}
          </div>
        );
        const key = of[0]?.name;
        if (!heading) return <Fragment key={key}>{inputs}</Fragment>;
        return (
          <fieldset key={key} className={classes("min-w-0", index > 0 && "mt-2 border-line border-t pt-5")}>
            <legend className="float-left mb-4 w-full font-semibold text-base text-ink">{heading}</legend>
            <div className="clear-both">{inputs}</div>
          </fieldset>
        );
      })}
      {after}
      {state.plan ? <PlanNote key={state.plan.key} plan={state.plan} /> : null}
      <div className="flex flex-wrap justify-end gap-2">
        <LinkButton href={closeHref} replace scroll={false} className="h-11 sm:h-9">
          {texts.back}
        </LinkButton>
        <Button
          type="submit"
          tone={isDangerous ? "danger" : "primary"}
          isBusy={isBusy}
          className={classes("h-11 sm:h-9", isDangerous && "bg-danger-strong")}
        >
          {state.plan?.button ?? texts.button}
        </Button>
      </div>
    </form>
  );
}

function partsOf(fields: readonly TaskField[]): { heading: string | undefined; of: TaskField[] }[] {
  const parts: { heading: string | undefined; of: TaskField[] }[] = [];
  for (const field of fields) {
    const last = parts.at(-1);
    if (last && field.part === undefined) last.of.push(field);
    else parts.push({ heading: field.part, of: [field] });
  }
  return parts;
}

/** A secret, while it can be kept. */
export function ShownOnce({
  secret,
  closeHref,
  texts,
}: {
  secret: NonNullable<TaskState["secret"]>;
  closeHref: string;
  texts: Pick<TaskFormProps["texts"], "copy" | "done">;
}) {
  const box = useRef<HTMLDivElement>(null);
  const tell = useContext(TellShown);
  const [isTitled, setTitled] = useState(false);
  useEffect(() => {
    tell?.(secret.label);
    setTitled(tell !== undefined);
  }, [tell, secret.label]);
  // The button that was pressed is gone.
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} role="status" data-shown-once tabIndex={-1} className="grid gap-4 px-5 pt-4 pb-5">
      <div>
        <p className={isTitled ? "sr-only" : "font-medium text-ink text-sm"}>{secret.label}</p>
        <p className="mt-1 text-ink-2 text-sm">{secret.note}</p>
        <div className="mt-3 flex items-center gap-1 rounded-md border border-line-strong bg-sunken py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 whitespace-pre-line break-all font-mono text-ink text-sm">
            {secret.value}
          </code>
          <CopyButton text={secret.value} label={texts.copy} />
        </div>
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        {secret.file ? (
          <Button asChild className="h-11 sm:h-9">
            <a
              href={`data:text/plain;charset=utf-8,${encodeURIComponent(secret.file.text)}`}
              download={secret.file.name}
            >
              <Download aria-hidden />
              {secret.file.button}
            </a>
          </Button>
        ) : null}
        <Button asChild tone="primary" className="h-11 sm:h-9">
          {/* Loaded anew: what was shown once may have changed the frame around the pages. */}
          <a href={closeHref} data-kept>
            {texts.done}
          </a>
        </Button>
      </div>
    </div>
  );
}
