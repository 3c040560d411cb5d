"use client";

import { type RefObject, useEffect, useRef } from "react";
import type { TaskAction, TaskState } from "@/components/tasks/task-form";
import { type KeptForm, useKeptForm } from "@/components/tasks/use-kept-form";

interface FormOfTask extends KeptForm {
  ref: RefObject<HTMLFormElement | null>;
}

const FIELD = "input:not([type=hidden], [type=checkbox]), select, textarea";

/** The same where the first field takes the focus in a dialog, and the first that is refused everywhere. */
export function useTask(onAct: TaskAction): [state: TaskState, form: FormOfTask, isBusy: boolean] {
  const [state, form, isBusy] = useKeptForm(onAct);
  const ref = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Before the dialog around it becomes modal and gives the focus to this field. On a phone its keyboard would hide the rest.
    const field = ref.current?.closest("dialog") ? ref.current.querySelector<HTMLElement>(FIELD) : null;
    if (field && matchMedia("(pointer: fine)").matches) field.autofocus = true;
  }, []);
  useEffect(() => {
    if (state.problems) ref.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state]);
  return [state, { ref, ...form }, isBusy];
}
