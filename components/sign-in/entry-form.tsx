"use client";

import { CircleAlert } from "lucide-react";
import { useActionState, useEffect, useRef } from "react";
import type { TaskAction } from "@/components/tasks/task-form";
import { type TaskField, TaskInput } from "@/components/tasks/task-input";
import { Button } from "@/components/ui/button";

interface EntryFormProps {
  hidden?: Readonly<Record<string, string>>;
  fields?: readonly TaskField[];
  onAct: TaskAction;
  button: string;
}

/** A form in the page itself, with what is wrong said above it or beside its fields; works without scripts. */
export function EntryForm({ hidden = {}, fields = [], onAct, button }: EntryFormProps) {
  const [state, act, isBusy] = useActionState(onAct, {});
  const problem = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.problem) problem.current?.focus();
  }, [state]);
  return (
    <form action={act} className="grid gap-5">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {state.problem ? (
        <div
          ref={problem}
          role="alert"
          tabIndex={-1}
          className="flex items-start gap-2.5 rounded-md bg-danger-soft px-3.5 py-3 text-danger text-sm"
        >
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <p>{state.problem}</p>
        </div>
      ) : null}
      {fields.map((field) => (
        <TaskInput
          key={field.name}
          field={field}
          given={state.given?.[field.name]}
          problem={state.problems?.[field.name]}
        />
      ))}
      <Button type="submit" tone="primary" size="lg" isBusy={isBusy}>
        {button}
      </Button>
    </form>
  );
}
