"use client";

import { useActionState } from "react";
import type { TaskAction } from "@/components/tasks/task-form";
import { Button, type ButtonLook } from "@/components/ui/button";

interface TaskButtonProps extends ButtonLook {
  text: string;
  hidden: Readonly<Record<string, string>>;
  onAct: TaskAction;
}

/** For what needs no confirmation: nothing is lost by it. */
export function TaskButton({ text, hidden, onAct, tone, size }: TaskButtonProps) {
  const [state, act, isBusy] = useActionState(onAct, {});
  return (
    <form action={act} className="inline-grid gap-1">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" tone={tone} size={size} isBusy={isBusy}>
        {text}
      </Button>
      {state.problem ? (
        <p role="alert" className="text-danger text-sm">
          {state.problem}
        </p>
      ) : null}
    </form>
  );
}
