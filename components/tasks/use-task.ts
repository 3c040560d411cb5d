"use client";

import { useEffect } from "react";
import type { TaskAction, TaskState } from "@/components/tasks/task-form";
import { type KeptForm, useKeptForm } from "@/components/tasks/use-kept-form";

const FIELD = "input:not([type=hidden], [type=checkbox]), select, textarea";

/** The same where the first field takes the focus in a dialog. */
export function useTask(onAct: TaskAction, onCheck?: TaskAction): [state: TaskState, form: KeptForm, isBusy: boolean] {
  const [state, form, isBusy] = useKeptForm(onAct, {}, onCheck);
  const { ref } = form;
  useEffect(() => {
    // Before the dialog around it becomes modal and gives the focus to this field.
    const field = ref.current?.closest("dialog") ? ref.current.querySelector<HTMLElement>(FIELD) : null;
    if (field) field.autofocus = true;
  }, [ref]);
  return [state, form, isBusy];
}
