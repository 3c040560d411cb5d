"use client";

import { type FormEvent, type RefObject, startTransition, useActionState, useEffect, useRef } from "react";
import type { TaskAction, TaskState } from "@/components/tasks/task-form";

interface FormOfTask {
  ref: RefObject<HTMLFormElement | null>;
  action: (form: FormData) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

const FIELD = "input:not([type=hidden], [type=checkbox]), select, textarea";

/**
 * A form's action and what it answered. What was typed stands through a refusal, and the first field that is refused
 * takes the focus. Without scripts the form is sent as any other.
 */
export function useTask(onAct: TaskAction): [state: TaskState, form: FormOfTask, isBusy: boolean] {
  const [state, act, isBusy] = useActionState(onAct, {});
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Before the dialog around it becomes modal and gives the focus to this field. On a phone its keyboard would hide the rest.
    const field = ref.current?.closest("dialog") ? ref.current.querySelector<HTMLElement>(FIELD) : null;
    if (field && matchMedia("(pointer: fine)").matches) field.autofocus = true;
  }, []);
  useEffect(() => {
    if (state.problems) ref.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    // Left to itself, React empties the form after its action.
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    startTransition(() => act(typed));
  };
  return [state, { ref, action: act, onSubmit }, isBusy];
}
