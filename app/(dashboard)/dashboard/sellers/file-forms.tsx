"use client";

import { type ComponentProps, useEffect, useState } from "react";
import { type FileLimits, tooLarge } from "@/app/(dashboard)/dashboard/sellers/file-sizes";
import { withFittingPhotos } from "@/app/(dashboard)/dashboard/sellers/fitting-photos";
import { EntryForm } from "@/components/sign-in/entry-form";
import { type TaskAction, TaskForm } from "@/components/tasks/task-form";

type WithLimits<Props> = Props & { limits: FileLimits };

const typedIn = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));

/**
 * The action behind a look at the sizes, with photos made to fit: the server cuts off what is larger before its own code
 * could say why. Only with scripts, for without them the form must name the server's action itself.
 */
function useLimited(onAct: TaskAction, limits: FileLimits): TaskAction {
  const [hasScripts, setHasScripts] = useState(false);
  useEffect(() => setHasScripts(true), []);
  if (!hasScripts) return onAct;
  return async (before, form) => {
    const sent = await withFittingPhotos(form, limits);
    const problems = tooLarge(sent, limits);
    return problems ? { problem: limits.texts.above, problems, given: typedIn(form) } : onAct(before, sent);
  };
}

export function FileTaskForm({ limits, onAct, ...form }: WithLimits<ComponentProps<typeof TaskForm>>) {
  return <TaskForm {...form} onAct={useLimited(onAct, limits)} />;
}

export function FileEntryForm({ limits, onAct, ...form }: WithLimits<ComponentProps<typeof EntryForm>>) {
  return <EntryForm {...form} onAct={useLimited(onAct, limits)} />;
}

type DocumentFormProps = WithLimits<ComponentProps<typeof TaskForm>> & {
  /** By the values of the field `type`. */
  kinds: Readonly<Record<string, { accept: string; hint: string }>>;
};

/** A document and its type: once another type is chosen, the field of the file takes what that type does. */
export function DocumentForm({ kinds, fields = [], ...form }: DocumentFormProps) {
  const [type, setType] = useState("");
  return (
    <div
      onChange={({ target }) => {
        if (target instanceof HTMLSelectElement && target.name === "type") setType(target.value);
      }}
    >
      <FileTaskForm
        {...form}
        fields={fields.map((field) => (field.kind === "file" ? { ...field, ...kinds[type] } : field))}
      />
    </div>
  );
}
