import { ErrorLine } from "@/components/checkout/fields";
import { Icon } from "@/components/checkout/icons";
import { ShownAs } from "@/components/checkout/shown-as";
import { getTranslations } from "@/components/checkout/words";
import type { Recall } from "@/lib/checkout/recall";
import type { Frame, MethodKind, OpenView } from "@/lib/checkout/view";
import type { Locale } from "@/lib/i18n/locales";

const CODE_LENGTH = 9;

/** Of the form that is shown: the visit it belongs to, and the method that stays open. */
interface Of {
  readonly attempt: string;
  readonly method: MethodKind;
}

interface Props {
  readonly frame: Frame;
  readonly view: OpenView;
}

/** Details that need not be typed: filled in already, or to be had for a code. */
export function Known({ frame, view: { known, recall, methods, chosen } }: Props) {
  const t = getTranslations("checkout", frame.locale);
  const of = { attempt: methods[0]?.attempt ?? "", method: chosen };
  if (known) {
    return (
      <div className="known go">
        <p>{known.by === "shop" ? t("known.byShop") : t("known.filled")}</p>
        {known.by === "buyer" ? (
          <Ask frame={frame} of={of} step="forget">
            <button type="submit" className="btn plain">
              {t("known.forget")}
            </button>
          </Ask>
        ) : null}
      </div>
    );
  }
  if (!recall) return null;
  if (recall.step === "code") return <Code frame={frame} of={of} recall={recall} />;
  return (
    <>
      {recall.step === "forgotten" ? (
        <p className="note" role="status">
          {t("known.forgotten")}
        </p>
      ) : null}
      <details className="more" open={recall.step === "email"}>
        <summary>
          {t("known.offer")}
          <Icon name="chevron" size={16} className="chev" />
        </summary>
        <Ask frame={frame} of={of} step="send">
          <div className="f">
            <label htmlFor="known-email">{t("field.email")}</label>
            <input
              id="known-email"
              name="email"
              type="email"
              inputMode="email"
              autoComplete="email"
              maxLength={254}
              required
              aria-describedby="known-email-hint"
            />
            <p className="hint" id="known-email-hint">
              {t("known.offerHint")}
            </p>
            <ErrorLine id="known-email" text={t("error.email")} isShown={recall.step === "email"} />
          </div>
          <button type="submit" className="btn two go">
            {t("known.send")}
          </button>
        </Ask>
      </details>
    </>
  );
}

function Code({ frame, of, recall }: { frame: Frame; of: Of; recall: Extract<Recall, { step: "code" }> }) {
  const t = getTranslations("checkout", frame.locale);
  const { email, isWrong, typed, isAgain } = recall;
  return (
    <section className="card" aria-labelledby="known-code-label">
      <Ask frame={frame} of={of} step="code" email={email} id={frame.languageForm?.id}>
        <p role="status">{t(isAgain ? "known.sentAgain" : "known.sent", { email })}</p>
        <div className="f go">
          <label htmlFor="known-code" id="known-code-label">
            {t("known.code")}
          </label>
          <input
            id="known-code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={CODE_LENGTH}
            required
            defaultValue={typed}
            // biome-ignore lint/a11y/noAutofocus: whoever asked for a code has nothing else to do here
            autoFocus
            aria-invalid={isWrong || undefined}
            aria-describedby={isWrong ? "known-code-error" : undefined}
          />
          <ErrorLine id="known-code" text={t("known.wrong")} isShown={isWrong} />
        </div>
        <button type="submit" className="btn two go">
          {t("known.enter")}
        </button>
      </Ask>
      <Ask frame={frame} of={of} step="again" email={email}>
        <button type="submit" className="btn plain">
          {t("known.again")}
        </button>
      </Ask>
    </section>
  );
}

interface AskProps {
  readonly frame: Frame;
  readonly of: Of;
  readonly step: "send" | "again" | "code" | "forget";
  readonly email?: string;
  readonly id?: string | undefined;
  readonly children: React.ReactNode;
}

function Ask({ frame, of: { attempt, method }, step, email, id, children }: AskProps) {
  return (
    <form id={id} method="post" action={`${frame.base}/remembered`}>
      <input type="hidden" name="attempt" value={attempt} />
      <input type="hidden" name="step" value={step} />
      <input type="hidden" name="method" value={method} />
      {email === undefined ? null : <input type="hidden" name="email" value={email} />}
      <ShownAs frame={frame} />
      {children}
    </form>
  );
}

interface RememberProps {
  readonly locale: Locale;
  readonly form: string;
  readonly isChosen: boolean;
  /** Remembered already: then it is what was typed over that would be. */
  readonly isKnown: boolean;
}

/** Agreed to, never assumed. */
export function RememberMe({ locale, form, isChosen, isKnown }: RememberProps) {
  const t = getTranslations("checkout", locale);
  return (
    <label className="keep">
      <input type="checkbox" name="remember" value="1" id={`${form}-remember`} defaultChecked={isChosen} />
      <span>
        {isKnown ? t("known.update") : t("known.remember")}
        <small>{t("known.rememberHint")}</small>
      </span>
    </label>
  );
}
