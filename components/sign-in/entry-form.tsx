"use client";

import { useActionState } from "react";
import { FormProblem } from "@/components/tasks/form-problem";
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
  return (
    <form action={act} className="grid gap-5">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormProblem state={state} />
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
