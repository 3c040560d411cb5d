"use client";

import { FormProblem } from "@/components/tasks/form-problem";
import type { TaskAction } from "@/components/tasks/task-form";
import { type TaskField, TaskInput } from "@/components/tasks/task-input";
import { useTask } from "@/components/tasks/use-task";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";

interface EntryFormProps {
  hidden?: Readonly<Record<string, string>>;
  fields?: readonly TaskField[];
  onAct: TaskAction;
  button: string;
  /** One of several forms of a page: its button is no larger than the others. */
  isPart?: boolean;
  /** Many short fields: side by side where there is room. */
  isWide?: boolean;
}

/** A form in the page itself, with what is wrong said above it or beside its fields; works without scripts. */
export function EntryForm({ hidden = {}, fields = [], onAct, button, isPart, isWide }: EntryFormProps) {
  const [state, form, isBusy] = useTask(onAct);
  return (
    <form {...form} className="grid gap-5">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormProblem state={state} />
      <div className={classes("grid gap-5 empty:hidden", isWide && "items-start gap-x-8 sm:grid-cols-2")}>
        {fields.map((field) => (
          <TaskInput
            key={field.name}
            field={field}
            given={state.given?.[field.name]}
            problem={state.problems?.[field.name]}
          />
        ))}
      </div>
      <Button
        type="submit"
        tone="primary"
        size={isPart ? "md" : "lg"}
        isBusy={isBusy}
        className={isPart ? "h-11 justify-self-start sm:h-9" : undefined}
      >
        {button}
      </Button>
    </form>
  );
}
