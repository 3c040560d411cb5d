"use client";

import { CircleAlert } from "lucide-react";
import { useActionState, useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

export type SignInProblem = "wrong" | "locked" | "emailInvalid" | "passwordMissing" | "refused";

export interface SignInState {
  email: string;
  problem?: SignInProblem;
}

interface SignInFormProps {
  action: (state: SignInState, form: FormData) => Promise<SignInState>;
  returnTo: string;
  texts: { email: string; password: string; submit: string; problems: Record<SignInProblem, string> };
}

export function SignInForm({ action, returnTo, texts }: SignInFormProps) {
  const [state, submit, isBusy] = useActionState(action, { email: "" });
  const alert = useRef<HTMLDivElement>(null);
  const { problem } = state;
  const problemText = problem ? texts.problems[problem] : undefined;
  const isOfForm = problem !== undefined && problem !== "emailInvalid" && problem !== "passwordMissing";
  useEffect(() => {
    if (isOfForm && !isBusy) alert.current?.focus();
  }, [isOfForm, isBusy]);

  return (
    <form action={submit} noValidate className="grid gap-5">
      <input type="hidden" name="return" value={returnTo} />
      {isOfForm ? (
        <div
          ref={alert}
          role="alert"
          tabIndex={-1}
          className="flex items-start gap-2.5 rounded-md bg-danger-soft px-3.5 py-3 text-danger text-sm"
        >
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <p>{problemText}</p>
        </div>
      ) : null}
      <Field label={texts.email} error={problem === "emailInvalid" ? problemText : undefined}>
        {(control) => (
          <Input
            {...control}
            type="email"
            name="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            defaultValue={state.email}
            key={state.email}
            required
          />
        )}
      </Field>
      <Field label={texts.password} error={problem === "passwordMissing" ? problemText : undefined}>
        {(control) => <Input {...control} type="password" name="password" autoComplete="current-password" required />}
      </Field>
      <Button type="submit" tone="primary" size="lg" isBusy={isBusy}>
        {texts.submit}
      </Button>
    </form>
  );
}
