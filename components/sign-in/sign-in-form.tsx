"use client";

import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { CircleAlert } from "lucide-react";
import { type ReactNode, startTransition, useActionState, useEffect, useRef, useState } from "react";
import type { Puzzle } from "@/components/checkout/captcha/solver";
import { PasskeyAnswer } from "@/components/sign-in/passkey-answer";
import { solvePuzzle } from "@/components/sign-in/proof";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

export type SignInProblem =
  | "wrong"
  | "locked"
  | "lockedHere"
  | "emailInvalid"
  | "passwordMissing"
  | "refused"
  | "codeMissing"
  | "codeWrong"
  | "passkeyWrong"
  | "over"
  | CompanyProblem;

/** Why the company's sign-in brought nobody in. */
export type CompanyProblem = "companyUnknown" | "companyRefused" | "companyStale" | "companyUnreachable";

export interface SignInState {
  email: string;
  /** The password was right: the code of the app is asked for. */
  challenge?: string;
  /** What a passkey of this person is asked to sign. */
  passkey?: PublicKeyCredentialRequestOptionsJSON;
  /** To be solved before the password is looked at: many attempts have failed. */
  puzzle?: Puzzle;
  problem?: SignInProblem;
}

interface SignInFormProps {
  action: (state: SignInState, form: FormData) => Promise<SignInState>;
  returnTo: string;
  /** What it begins with: a second step, or why another way in was closed. */
  initial?: SignInState | undefined;
  /** What brought them here, until there is something newer to say. */
  said?: string | undefined;
  /** Beside the password. */
  forgot: ReactNode;
  texts: {
    email: string;
    password: string;
    submit: string;
    code: string;
    codeHint: string;
    confirm: string;
    passkey: string;
    solving: string;
    solved: string;
    unsolvable: string;
    problems: Record<SignInProblem, string>;
  };
}

const BESIDE_FIELD = new Set<SignInProblem>(["emailInvalid", "passwordMissing", "codeMissing"]);

export function SignInForm({ action, returnTo, initial, said, forgot, texts }: SignInFormProps) {
  const [state, submit, isBusy] = useActionState(action, initial ?? { email: "" });
  const form = useRef<HTMLFormElement>(null);
  const { problem } = state;
  const { typed, proof, isSolving } = useProof(state.puzzle, submit);
  const problemText = problem ? texts.problems[problem] : undefined;
  const isOfForm = problem !== undefined && !BESIDE_FIELD.has(problem);
  useEffect(() => {
    if (problem && !isBusy) form.current?.querySelector<HTMLElement>("[role=alert], [aria-invalid=true]")?.focus();
  }, [problem, isBusy]);

  return (
    <form
      ref={form}
      action={submit}
      onSubmit={({ currentTarget }) => {
        typed.current = new FormData(currentTarget);
      }}
      noValidate
      className="grid gap-5"
    >
      <input type="hidden" name="return" value={returnTo} />
      {said && !problem && !state.challenge && !state.puzzle ? (
        <p role="status" className="text-ink-2">
          {said}
        </p>
      ) : null}
      {isOfForm ? (
        <div
          role="alert"
          tabIndex={-1}
          className="flex items-start gap-2.5 rounded-md bg-danger-soft px-3.5 py-3 text-danger text-sm"
        >
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <p>{problemText}</p>
        </div>
      ) : null}
      {state.puzzle ? (
        <>
          <input type="hidden" name="proof" value={proof ?? ""} />
          <p role="status" className="rounded-md bg-warning-soft px-3.5 py-3 text-sm text-warning empty:hidden">
            {isSolving ? texts.solving : proof ? texts.solved : ""}
          </p>
          <noscript>
            <p className="rounded-md bg-warning-soft px-3.5 py-3 text-sm text-warning">{texts.unsolvable}</p>
          </noscript>
        </>
      ) : null}
      {state.challenge ? (
        <>
          <input type="hidden" name="email" value={state.email} />
          <input type="hidden" name="challenge" value={state.challenge} />
          {state.passkey ? (
            <PasskeyAnswer key={state.passkey.challenge} asked={state.passkey} text={texts.passkey} isBusy={isBusy} />
          ) : null}
          <Field label={texts.code} hint={texts.codeHint} error={problem === "codeMissing" ? problemText : undefined}>
            {(control) => (
              <Input
                {...control}
                name="code"
                autoComplete="one-time-code"
                autoCapitalize="characters"
                spellCheck={false}
                autoFocus={!state.passkey}
                required
                className="h-11 font-mono tracking-widest sm:h-10"
              />
            )}
          </Field>
          <Button type="submit" tone={state.passkey ? "secondary" : "primary"} size="lg" isBusy={isBusy}>
            {texts.confirm}
          </Button>
        </>
      ) : (
        <>
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
                autoFocus={!problem}
                required
              />
            )}
          </Field>
          <Field label={texts.password} aside={forgot} error={problem === "passwordMissing" ? problemText : undefined}>
            {(control) => (
              <Input {...control} type="password" name="password" autoComplete="current-password" required />
            )}
          </Field>
          <Button type="submit" tone="primary" size="lg" isBusy={isBusy || isSolving}>
            {texts.submit}
          </Button>
        </>
      )}
    </form>
  );
}

/** Solves the puzzle and sends what was typed once more; a page that came with the puzzle waits to be typed into. */
function useProof(puzzle: Puzzle | undefined, submit: (form: FormData) => void) {
  const typed = useRef<FormData>(null);
  const [solution, setSolution] = useState<{ puzzle: Puzzle; proof: string | null }>();
  useEffect(() => {
    if (!puzzle) return;
    let isOver = false;
    solvePuzzle(puzzle).then((proof) => {
      if (isOver) return;
      setSolution({ puzzle, proof });
      const again = typed.current;
      if (!proof || !again) return;
      again.set("proof", proof);
      startTransition(() => submit(again));
    });
    return () => {
      isOver = true;
    };
  }, [puzzle, submit]);
  const isSolved = solution !== undefined && solution.puzzle === puzzle;
  const [isAwake, setAwake] = useState(false);
  useEffect(() => setAwake(true), []);
  return { typed, proof: isSolved ? solution.proof : null, isSolving: isAwake && puzzle !== undefined && !isSolved };
}
