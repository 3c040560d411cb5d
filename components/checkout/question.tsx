import { errorText, type FormState, wiring } from "@/components/checkout/fields";
import { getTranslations } from "@/components/checkout/words";
import type { CaptchaView } from "@/lib/checkout/view";

/** For forms sent without a script; with one the island solves a challenge instead and takes this away. */
export function Question({ state, captcha }: { state: FormState; captcha: CaptchaView | null }) {
  if (!captcha?.question) return null;
  const t = getTranslations("checkout", state.locale);
  const { id, isWrong, isEmpty, describedBy } = wiring(state, "question", undefined, false);
  return (
    <noscript>
      <div className="f">
        <label htmlFor={id}>{captcha.question.text}</label>
        <input
          id={id}
          name="captchaAnswer"
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={isWrong || undefined}
          aria-describedby={describedBy}
        />
        <input type="hidden" name="captchaQuestion" value={captcha.question.signed} />
        {isWrong ? (
          <p className="err" id={`${id}-error`}>
            {errorText(t, { field: "question", isEmpty }, "")}
          </p>
        ) : null}
      </div>
    </noscript>
  );
}
