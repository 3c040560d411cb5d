"use client";

import Link from "next/link";
import { useActionState, useState } from "react";
import { FormProblem } from "@/components/tasks/form-problem";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { readAmount } from "@/lib/charges/typed-amount";

export interface ActionState {
  problem?: string;
  /** What was typed, given back. */
  amount?: string;
  /** The plan shown is not the present one. */
  isStale?: boolean;
}

interface ActionFormProps {
  /** Sent as they are. */
  hidden: Readonly<Record<"id" | "action" | "plan" | "key", string>>;
  /** Asked for when a part can be done. */
  amount?: { initial: string; label: string; hint: string; currency: string; locale: string };
  isDangerous: boolean;
  onAct: (before: ActionState, form: FormData) => Promise<ActionState>;
  closeHref: string;
  /** `button` names the consequence; `template` has {amount} where the typed one goes. */
  texts: { button: string; template: string; plain: string; back: string; newPlan: string };
}

export function ActionForm({ hidden, amount, isDangerous, onAct, closeHref, texts }: ActionFormProps) {
  const [state, act, isBusy] = useActionState(onAct, {});
  const [typed, setTyped] = useState<string>();
  const cents = typed === undefined ? undefined : readAmount(typed);
  const label =
    amount === undefined || typed === undefined
      ? texts.button
      : cents === undefined
        ? texts.plain
        : texts.template.replace("{amount}", formatCents(cents, amount.currency, amount.locale));
  return (
    <form action={act} className="grid gap-4 px-5 pt-4 pb-5">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormProblem state={state} />
      {amount ? (
        <Field label={amount.label} hint={amount.hint}>
          {(control) => (
            <Input
              {...control}
              name="amount"
              inputMode="decimal"
              autoComplete="off"
              defaultValue={state.amount ?? amount.initial}
              onChange={(event) => setTyped(event.currentTarget.value)}
              className="h-11 font-semibold text-lg tabular-nums sm:h-11 sm:text-lg"
            />
          )}
        </Field>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <LinkButton href={closeHref} replace scroll={false} className="h-11 sm:h-9">
          {texts.back}
        </LinkButton>
        {state.isStale ? (
          <Button asChild tone="primary" className="h-11 sm:h-9">
            <Link href={closeHref} replace>
              {texts.newPlan}
            </Link>
          </Button>
        ) : (
          <Button
            type="submit"
            tone={isDangerous ? "danger" : "primary"}
            isBusy={isBusy}
            className={classes("h-11 sm:h-9", isDangerous && "bg-danger-strong")}
          >
            {label}
          </Button>
        )}
      </div>
    </form>
  );
}
