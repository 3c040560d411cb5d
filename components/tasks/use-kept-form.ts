"use client";

import { type FormEvent, startTransition, useActionState } from "react";
import { isUnreachable } from "@/components/ui/unreachable";
import { useWords } from "@/components/ui/words";

export interface KeptForm {
  action: (form: FormData) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * A form's action and what it answered. What was typed stands through a refusal, and through a lost connection: the form
 * says so above its fields. Without scripts the form is sent as any other.
 */
export function useKeptForm<S extends { problem?: string }>(
  onAct: (before: S, form: FormData) => Promise<S>,
  // Guarantee: no action needs what an answer may leave out.
  initial = {} as Awaited<S>,
): [state: S, form: KeptForm, isBusy: boolean] {
  const words = useWords();
  const [sent, action] = useActionState(onAct, initial);
  const unlessLost = async (before: S | undefined, form: FormData): Promise<S> => {
    try {
      return await onAct(before ?? sent, form);
    } catch (thrown) {
      if (!isUnreachable(thrown)) throw thrown;
      return { ...initial, problem: `${words.unreachableTitle}. ${words.unreachableText}` };
    }
  };
  const [answered, act, isBusy] = useActionState(unlessLost, undefined);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    // Left to itself, React empties the form after its action.
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const button = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
    if (button instanceof HTMLButtonElement && button.name) typed.append(button.name, button.value);
    startTransition(() => act(typed));
  };
  return [answered ?? sent, { action, onSubmit }, isBusy];
}
