"use client";

import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { PlanFacts, type ShownPlan } from "@/components/charges/plan-facts";
import { typedStanding } from "@/components/charges/typed-standing";
import { FormProblem } from "@/components/tasks/form-problem";
import { useKeptForm } from "@/components/tasks/use-kept-form";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import { formatCents } from "@/components/ui/money-format";
import { typedAmount } from "@/lib/charges/typed-amount";

export interface ActionState {
  problem?: string;
  /** Beside their fields. */
  problems?: { amount?: string; reason?: string };
  /** What was typed, given back. */
  amount?: string;
  reason?: string;
  /** The plan shown is not the present one. */
  isStale?: boolean;
  /** What it would do now, where the books would not do what was shown. */
  plan?: ShownPlan | undefined;
}

interface ActionFormProps {
  /** Sent as they are. */
  hidden: Readonly<Record<string, string>>;
  /** Asked for when a part can be done: `cents` is all there is, and `tooMuch` says so. */
  amount?:
    | { initial: string; cents: number; label: string; hint: string; tooMuch: string; currency: string; locale: string }
    | undefined;
  /** Above this many cents, or of what has no amount to type, a second person is asked, and the button says so. */
  approval?: { above: number; template: string; note: string } | undefined;
  /** What will happen; `onPlan` answers it for another amount as it is typed. */
  plan?:
    | {
        initial: ShownPlan;
        texts: { title: string; machine: string };
        onPlan?: ((form: FormData) => Promise<ShownPlan | undefined>) | undefined;
      }
    | undefined;
  /** `missing` says what to do where it was left empty. */
  reason?: { label: string; hint: string; missing: string; suggestions: readonly string[] } | undefined;
  isDangerous: boolean;
  onAct: (before: ActionState, form: FormData) => Promise<ActionState>;
  closeHref: string;
  /** `button` names the consequence; `template` has {amount} where the typed one goes. */
  texts: { button: string; template: string; plain: string; back: string; newPlan: string };
}

const LONGEST_REASON = 200;
/** After the last key. */
const PLAN_AFTER_MS = 350;

/** The plan of what is typed: the first one, the one of a refusal, or the one of the latest amount. */
function usePlan(plan: ActionFormProps["plan"], hidden: ActionFormProps["hidden"], state: ActionState) {
  const [typed, setTyped] = useState<{ plan: ShownPlan | undefined }>();
  const [isAsking, setIsAsking] = useState(false);
  const [seen, setSeen] = useState(state);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef(0);
  if (seen !== state) {
    setSeen(state);
    if (state.plan) setTyped(undefined);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (amount: string): void => {
    const onPlan = plan?.onPlan;
    if (!onPlan) return;
    const turn = ++asked.current;
    clearTimeout(timer.current);
    setIsAsking(true);
    timer.current = setTimeout(async () => {
      // Without an answer there is no plan to hold the action to; it is decided anew when it is done.
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...hidden, amount })) form.set(name, value);
      const answer = await onPlan(form).catch(() => undefined);
      if (turn !== asked.current) return;
      setTyped({ plan: answer });
      setIsAsking(false);
    }, PLAN_AFTER_MS);
  };
  return { shown: typed ? typed.plan : (state.plan ?? plan?.initial), isAsking, ask };
}

export function ActionForm({
  hidden,
  amount,
  approval,
  plan,
  reason,
  isDangerous,
  onAct,
  closeHref,
  texts,
}: ActionFormProps) {
  const [state, form, isBusy] = useKeptForm(onAct);
  const [typed, setTyped] = useState<string>();
  const planned = usePlan(plan, hidden, state);
  const cents = typed === undefined ? amount?.cents : typedAmount(typed, amount?.locale);
  const standing = typedStanding(cents, amount?.cents, approval?.above);
  const isAsking = approval !== undefined && standing === "approval";
  const isTooMuch = standing === "too_much";
  // Still to be pressed: the answer says beside the field what is possible.
  const isRefused = isTooMuch || planned.shown?.problem !== undefined;
  const isRed = isDangerous && !isAsking && !isRefused;
  const label = (): string => {
    if (!amount) return isAsking ? approval.template : texts.button;
    if (cents === undefined || isTooMuch) return texts.plain;
    const template = isAsking ? approval.template : texts.template;
    return template.replace("{amount}", formatCents(cents, amount.currency, amount.locale));
  };
  return (
    <form {...form} className="grid gap-4 px-5 pt-4 pb-5">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormProblem state={state} />
      {amount ? (
        <Field
          label={amount.label}
          hint={isTooMuch ? undefined : amount.hint}
          error={isTooMuch ? amount.tooMuch : state.problems?.amount}
        >
          {(control) => (
            <Input
              {...control}
              name="amount"
              inputMode="decimal"
              autoComplete="off"
              defaultValue={state.amount ?? amount.initial}
              onChange={({ currentTarget: { value } }) => {
                setTyped(value);
                planned.ask(value);
              }}
              className="h-11 font-semibold text-lg tabular-nums sm:h-11 sm:text-lg"
            />
          )}
        </Field>
      ) : null}
      {reason ? (
        <Field label={reason.label} hint={reason.hint} error={state.problems?.reason}>
          {(control) => (
            <>
              <Input
                {...control}
                name="reason"
                maxLength={LONGEST_REASON}
                autoComplete="off"
                required
                data-missing={reason.missing}
                defaultValue={state.reason}
              />
              <Suggestions of={control.id} suggestions={reason.suggestions} />
            </>
          )}
        </Field>
      ) : null}
      {plan && planned.shown ? (
        <>
          <input type="hidden" name="planHash" value={planned.shown.hash} />
          {isTooMuch ? null : <PlanFacts plan={planned.shown} texts={plan.texts} />}
        </>
      ) : null}
      {isAsking ? (
        <p role="status" className="rounded-md bg-warning-soft px-3 py-2.5 text-sm text-warning">
          {approval.note}
        </p>
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
            tone={isRefused ? "secondary" : isRed ? "danger" : "primary"}
            isBusy={isBusy || planned.isAsking}
            className={classes("h-11 sm:h-9", isRed && "bg-danger-strong")}
          >
            {label()}
          </Button>
        )}
      </div>
    </form>
  );
}

interface SuggestionsProps {
  /** The field that takes them. */
  of: string;
  suggestions: readonly string[];
}

/** The list that the field speaks of, in sight: one press fills it in, and it can still be written anew. */
function Suggestions({ of, suggestions }: SuggestionsProps) {
  if (suggestions.length === 0) return null;
  const take = (suggestion: string): void => {
    const field = document.getElementById(of);
    if (!(field instanceof HTMLInputElement)) return;
    field.value = suggestion;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  };
  return (
    <div className="flex flex-wrap gap-1.5">
      {suggestions.map((suggestion) => (
        <Button key={suggestion} size="sm" onClick={() => take(suggestion)} className="font-normal">
          {suggestion}
        </Button>
      ))}
    </div>
  );
}
