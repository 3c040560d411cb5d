import { ShownAs } from "@/components/checkout/shown-as";
import { getTranslations } from "@/components/checkout/words";
import { type Frame, type PaymentView, shownAs } from "@/lib/checkout/view";

export interface Shown {
  readonly frame: Frame;
  readonly view: PaymentView;
}

/** To the payment that took the place of this one: for who made it, its receipt. */
export function Instead({ frame, view }: Shown) {
  const t = getTranslations("checkout", frame.locale);
  const path = view.insteadToken ? `${frame.base}/p/${view.insteadToken}` : frame.base;
  const label = view.insteadToken ? (view.instead === "paid" ? "button.receipt" : "button.open") : "button.link";
  return (
    <div className="stack">
      <a className={view.insteadToken ? "btn" : "btn two"} href={`${path}?${shownAs(frame)}`}>
        {t(label)}
      </a>
    </div>
  );
}

/** To another try; where the link takes none, to what became of it: it may lead to a receipt, or to another link. */
export function Back({ frame, view, method }: { frame: Frame; view: PaymentView; method?: string }) {
  const t = getTranslations("checkout", frame.locale);
  const query = `${method && view.canPayAgain ? `method=${method}&` : ""}${shownAs(frame)}`;
  return (
    <div className="stack">
      <a className={view.canPayAgain ? "btn" : "btn two"} href={`${frame.base}?${query}`}>
        {t(view.canPayAgain ? "button.back" : frame.isEmbedded ? "button.open" : "button.link")}
      </a>
    </div>
  );
}

interface AgainProps extends Shown {
  readonly action: string;
  readonly label: string;
}

export function Again({ frame, view, action, label }: AgainProps) {
  return (
    <>
      <form method="post" action={action} className="go">
        <ShownAs frame={frame} />
        <button type="submit" className="btn">
          {label}
        </button>
      </form>
      {view.hasOther ? (
        <a className="btn plain" href={`${frame.base}?${shownAs(frame)}`}>
          {getTranslations("checkout", frame.locale)("button.other")}
        </a>
      ) : null}
    </>
  );
}
