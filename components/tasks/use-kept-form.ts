"use client";

import {
  type FormEvent,
  type RefObject,
  startTransition,
  useActionState,
  useEffect,
  useMemo,
  useRef,
  useState,
  useTransition,
} from "react";
import { doubtConnection } from "@/components/dashboard/connection";
import { forgetTyped, isControl, keepTyped, sendTyped } from "@/components/dashboard/unsaved";
import { type Answer, toldTogether } from "@/components/tasks/told-together";
import { isUnreachable } from "@/components/ui/unreachable";
import { useWords, type Words } from "@/components/ui/words";

export interface KeptForm {
  ref: RefObject<HTMLFormElement | null>;
  action: (form: FormData) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Asked about before it is left half filled in. */
  "data-work": true;
}

/**
 * A form's action and what it answered. What was typed stands through a refusal, and through a lost connection: the form
 * says so above its fields. What a field lacks is said beside it, in the page's language rather than the browser's, and
 * the first field that is refused takes the focus. Where the server can look at the form without doing what it asks,
 * what it finds is told in the same breath. Without scripts the form is sent as any other.
 */
export function useKeptForm<S extends Answer>(
  onAct: (before: S, form: FormData) => Promise<S>,
  // Guarantee: no action needs what an answer may leave out.
  initial = {} as Awaited<S>,
  onCheck?: (before: S, form: FormData) => Promise<Answer>,
): [state: S, form: KeptForm, isBusy: boolean] {
  const words = useWords();
  const ref = useRef<HTMLFormElement>(null);
  const [unfit, setUnfit] = useState<Answer>();
  const [isChecking, startChecking] = useTransition();
  const [sent, action] = useActionState(onAct, initial);
  const unlessLost = async (before: S | undefined, form: FormData): Promise<S> => {
    const { current: element } = ref;
    try {
      const answer = await onAct(before ?? sent, form);
      // Whatever is answered instead of the next page is about what was typed, which stands there still.
      if (element) (isSilent(answer) ? forgetTyped : keepTyped)(element);
      return answer;
    } catch (thrown) {
      const isLost = isUnreachable(thrown);
      if (element) (isLost ? keepTyped : forgetTyped)(element);
      if (!isLost) throw thrown;
      doubtConnection();
      return { ...initial, problem: `${words.unreachableTitle}. ${words.unreachableText}` };
    }
  };
  const [answered, act, isBusy] = useActionState(unlessLost, undefined);
  const given = answered ?? sent;
  // The same until something changes: forms compare it while they render.
  const state = useMemo(() => (unfit ? { ...given, ...unfit } : given), [given, unfit]);
  useEffect(() => {
    // With scripts the form speaks for the browser.
    if (ref.current) ref.current.noValidate = true;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer moves the focus anew, whatever it says
  useEffect(() => {
    if (!state.problems) return;
    const fields = [...(ref.current?.querySelectorAll<HTMLElement>("[aria-invalid=true]") ?? [])];
    fields.find((field) => field.checkVisibility())?.focus();
  }, [given, unfit]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    // Left to itself, React empties the form after its action.
    event.preventDefault();
    const problems = unfitFields(event.currentTarget, words);
    const typed = new FormData(event.currentTarget);
    if (problems && onCheck) {
      startChecking(async () => {
        const found = await foundBy(onCheck(given, typed));
        startTransition(() => setUnfit(toldTogether(problems, found)));
      });
      return;
    }
    setUnfit(problems && toldTogether(problems));
    if (problems) return;
    const button = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
    if (button instanceof HTMLButtonElement && button.name) typed.append(button.name, button.value);
    sendTyped(event.currentTarget);
    startTransition(() => act(typed));
  };
  return [state, { ref, action, onSubmit, "data-work": true }, isBusy || isChecking];
}

/** Without a connection what the browser found is told alone. */
async function foundBy(checked: Promise<Answer>): Promise<Answer> {
  try {
    return await checked;
  } catch (thrown) {
    if (!isUnreachable(thrown)) throw thrown;
    return {};
  }
}

/** An action that ends on another page answers nothing at all. */
const isSilent = (answer: Answer | undefined): boolean => answer === undefined || Object.keys(answer).length === 0;

/** What the browser would refuse of the fields that are shown, by their names; undefined where it would send all of it. */
function unfitFields(form: HTMLFormElement, words: Words): Record<string, string> | undefined {
  const problems = [...form.elements]
    .filter(isControl)
    .filter((control) => control.name && !control.validity.valid && control.checkVisibility())
    .map((control) => {
      const { valueMissing, typeMismatch, badInput } = control.validity;
      if (control.type === "file") return [control.name, words.fillInFile];
      if (badInput) return [control.name, words.fillInWhole];
      if (valueMissing) return [control.name, control.dataset.missing ?? words.fillIn];
      return [control.name, typeMismatch && control.type === "email" ? words.fillInEmail : control.validationMessage];
    });
  return problems.length > 0 ? Object.fromEntries(problems) : tooLong(form, words);
}

/** Of all that is typed in one form: what the server reads of one, which holds the answer before it as well. */
const MOST_TYPED = 12_000;

/** More than the server would read at all: its longest text is to blame. */
function tooLong(form: HTMLFormElement, words: Words): Record<string, string> | undefined {
  const typed = [...form.elements]
    .filter(isControl)
    .filter(({ name, type }) => name && type !== "hidden" && type !== "file")
    .sort((one, other) => other.value.length - one.value.length);
  const [longest] = typed;
  const all = typed.reduce((sum, { value }) => sum + value.length, 0);
  return longest && all > MOST_TYPED ? { [longest.name]: words.fillInShorter } : undefined;
}
