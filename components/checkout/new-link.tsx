import { ErrorLine, LikelyEmail } from "@/components/checkout/fields";
import { ShownAs } from "@/components/checkout/shown-as";
import { getTranslations, type Words } from "@/components/checkout/words";
import type { AskProblem, ClosedView, Frame } from "@/lib/checkout/view";

interface NewLinkProps {
  readonly frame: Frame;
  readonly state: NonNullable<ClosedView["newLink"]>;
  readonly asked: ClosedView["asked"];
}

/** A buyer asks the shop for another link, and is told where its answer goes. */
export function NewLink({ frame, state, asked }: NewLinkProps) {
  const { locale, base } = frame;
  const t = getTranslations("checkout", locale);
  if (state !== "form") {
    return (
      <div className="card good" role="status">
        <p>{toldText(t, state, asked?.email ?? "")}</p>
      </div>
    );
  }
  const wrong = (field: AskProblem["field"]) => asked?.problems.find((problem) => problem.field === field);
  return (
    <section className="card" aria-labelledby="ask">
      <h2 id="ask">{t("newLink.heading")}</h2>
      <p className="muted">{t("newLink.body")}</p>
      <form method="post" action={`${base}/new-link`} className="go">
        <ShownAs frame={frame} />
        <div className="grid">
          <div className="f">
            <label htmlFor="ask-name">
              {t("field.name")}
              <em>{t("field.optional")}</em>
            </label>
            <input
              id="ask-name"
              name="name"
              autoComplete="name"
              maxLength={120}
              defaultValue={asked?.name}
              {...wiring("name", wrong("name"))}
            />
            <ErrorLine id="ask-name" text={t("newLink.cardNumber")} isShown={wrong("name") !== undefined} />
          </div>
          <div className="f">
            <label htmlFor="ask-email">
              {t("field.email")}
              <em>{t("field.optional")}</em>
            </label>
            <input
              id="ask-email"
              name="email"
              data-field="email"
              type="email"
              inputMode="email"
              autoComplete="email"
              maxLength={254}
              defaultValue={asked?.email}
              {...wiring("email", wrong("email"))}
            />
            <LikelyEmail t={t} typed={wrong("email") ? "" : (asked?.email ?? "")} />
            <ErrorLine
              id="ask-email"
              text={t(wrong("email")?.isCard ? "newLink.cardNumber" : "error.email")}
              isShown={wrong("email") !== undefined}
            />
          </div>
        </div>
        <button type="submit" className="btn go">
          {t("newLink.send")}
        </button>
      </form>
    </section>
  );
}

function toldText(t: Words, state: "sent" | "again", email: string): string {
  if (state === "again") return t("newLink.again");
  return email ? t("newLink.sentTo", { email }) : t("newLink.sent");
}

/** The page comes with the field to correct: it has the focus, without a script too. */
const wiring = (field: AskProblem["field"], problem: AskProblem | undefined) =>
  problem
    ? ({ "aria-invalid": true, "aria-describedby": `ask-${field}-error`, autoFocus: true } as const)
    : ({} as const);
