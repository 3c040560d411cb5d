"use client";

import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import { Fingerprint } from "lucide-react";
import { startTransition, useActionState, useEffect, useRef, useState } from "react";
import { forgetTyped } from "@/components/dashboard/unsaved";
import { FormProblem } from "@/components/tasks/form-problem";
import { ShownOnce, type TaskState } from "@/components/tasks/task-form";
import { TaskInput } from "@/components/tasks/task-input";
import { Button } from "@/components/ui/button";
import { LinkButton } from "@/components/ui/link-button";

export interface PasskeyState extends TaskState {
  /** The password was right: what the browser is asked to make. */
  asked?: PublicKeyCredentialCreationOptionsJSON;
}

interface AddPasskeyProps {
  onAct: (before: PasskeyState, form: FormData) => Promise<PasskeyState>;
  closeHref: string;
  texts: {
    name: string;
    nameHint: string;
    password: string;
    button: string;
    back: string;
    copy: string;
    done: string;
    failed: string;
  };
}

/** The password, then the browser's own question, then what it answered: one form sent twice. */
export function AddPasskey({ onAct, closeHref, texts }: AddPasskeyProps) {
  const [state, act, isBusy] = useActionState(onAct, {});
  const [failed, setFailed] = useState<PasskeyState>({});
  const form = useRef<HTMLFormElement>(null);
  const { asked } = state;
  useEffect(() => {
    if (!asked) return;
    const make = async () => {
      const { startRegistration } = await import("@simplewebauthn/browser");
      const answer = await startRegistration({ optionsJSON: asked });
      const sent = new FormData();
      sent.set("name", state.given?.name ?? "");
      sent.set("answer", JSON.stringify(answer));
      startTransition(() => act(sent));
    };
    make().catch(() => setFailed({ problem: texts.failed }));
  }, [asked, act, state.given?.name, texts.failed]);
  if (state.secret) return <ShownOnce secret={state.secret} closeHref={closeHref} texts={texts} />;
  return (
    <form
      ref={form}
      action={(sent) => {
        setFailed({});
        if (form.current) forgetTyped(form.current);
        act(sent);
      }}
      className="grid gap-4 px-5 pt-4 pb-5"
    >
      <FormProblem state={state.problem ? state : failed} />
      <TaskInput
        field={{ name: "name", label: texts.name, hint: texts.nameHint, isRequired: true }}
        given={state.given?.name}
        problem={state.problems?.name}
      />
      <TaskInput
        field={{ name: "password", label: texts.password, kind: "current", isRequired: true }}
        given={undefined}
        problem={state.problems?.password}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <LinkButton href={closeHref} replace scroll={false} className="h-11 sm:h-9">
          {texts.back}
        </LinkButton>
        <Button type="submit" tone="primary" isBusy={isBusy} className="h-11 sm:h-9">
          <Fingerprint aria-hidden />
          {texts.button}
        </Button>
      </div>
    </form>
  );
}
