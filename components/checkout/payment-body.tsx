import type { ReactNode } from "react";
import { AtBank, AtDevice, ToBank } from "@/components/checkout/bank";
import { Actions } from "@/components/checkout/notice";
import { Boleto, OtherMethod, Pix } from "@/components/checkout/open-payments";
import { Started } from "@/components/checkout/plan";
import { RECEIPT_STATES, Receipt } from "@/components/checkout/receipt";
import { isHoldReleased, ReleasedHold } from "@/components/checkout/released-hold";
import { ShownAs } from "@/components/checkout/shown-as";
import { Simulate } from "@/components/checkout/simulate";
import { Slots } from "@/components/checkout/slots";
import { VisitShop } from "@/components/checkout/visit-shop";
import { Again, Back, Instead, type Shown } from "@/components/checkout/ways-on";
import { getTranslations } from "@/components/checkout/words";
import { type PaymentView, shownAs } from "@/lib/checkout/view";

interface BodyProps extends Shown {
  readonly needsScript: boolean;
}

export const walletHostOf = ({ continueUrl }: PaymentView): string => (continueUrl ? new URL(continueUrl).host : "");

/** Below the heading of a payment's page: its codes, its receipt, or the ways on. */
export function PaymentBody({ frame, view, needsScript }: BodyProps): ReactNode {
  const { locale, base } = frame;
  const t = getTranslations("checkout", locale);
  const own = `${base}/p/${view.token}`;
  if (view.instead) return <Instead frame={frame} view={view} />;
  if (RECEIPT_STATES.has(view.state))
    return (
      <>
        {view.state === "paid" && view.plan ? (
          <Started frame={frame} plan={view.plan} isByBank={view.method === "pix"} />
        ) : null}
        <Receipt frame={frame} view={view} />
      </>
    );
  switch (view.state) {
    case "pix":
    case "mandate":
      return <Pix frame={frame} view={view} />;
    case "boleto":
    case "boletoOverdue":
      return <Boleto frame={frame} view={view} />;
    case "started":
      return view.plan ? <Started frame={frame} plan={view.plan} isByBank={view.method === "pix"} /> : null;
    case "processing":
      return (
        <>
          <Awaited frame={frame} view={view} />
          <p className="go" id="slow" hidden>
            {t("pay.processing.later")} <a href={`${own}?${shownAs(frame)}`}>{t("pay.processing.look")}</a>
          </p>
        </>
      );
    case "confirming":
      return <Awaited frame={frame} view={view} />;
    case "review":
      return (
        <>
          <Awaited frame={frame} view={view} />
          <div className="stack">
            <VisitShop frame={frame} />
          </div>
        </>
      );
    case "running":
      return <Slots frame={frame} view={view} />;
    case "released":
      return (
        <>
          <Slots frame={frame} view={view} />
          {view.canPayAgain ? (
            <Actions
              frame={frame}
              actions={view.actions}
              card={view.declinedCard ?? undefined}
              told={view.token}
              needsScript={needsScript}
              hasOther={view.hasOther}
            />
          ) : (
            <Back frame={frame} view={view} />
          )}
        </>
      );
    case "declined":
      return view.canPayAgain && view.actions.length > 0 ? (
        <Actions
          frame={frame}
          actions={view.actions}
          told={view.token}
          needsScript={needsScript}
          hasOther={view.hasOther}
        />
      ) : (
        <Back frame={frame} view={view} />
      );
    case "authenticate":
      if (view.device) return <AtDevice device={view.device} frame={frame} own={own} />;
      return view.challenge ? (
        <>
          <AtBank frame={frame} view={view} />
          <ToBank challenge={view.challenge} frame={frame} />
          <form method="post" action={`${own}/leave`}>
            <ShownAs frame={frame} />
            <button type="submit" className="btn plain">
              {t("button.otherWay")}
            </button>
          </form>
        </>
      ) : null;
    case "wallet":
      return view.continueUrl ? (
        <div className="stack">
          <a className="btn" href={view.continueUrl} rel="noreferrer" target={frame.isEmbedded ? "_top" : undefined}>
            {t("button.provider", { host: walletHostOf(view) })}
          </a>
          {view.canSimulate ? <Simulate frame={frame} own={own} /> : null}
          <OtherMethod frame={frame} view={view} />
        </div>
      ) : null;
    case "pixExpired":
    case "pixLate":
      // What began with the code has ended with it: whoever still wants it begins anew.
      if (view.plan || !view.canPayAgain) return <Back frame={frame} view={view} />;
      return <Again frame={frame} view={view} action={`${own}/renew`} label={t("button.renew")} />;
    case "walletExpired":
      return <Back frame={frame} view={view} method={view.method} />;
    case "canceled":
      return (
        <>
          {isHoldReleased(view) ? <ReleasedHold frame={frame} view={view} /> : null}
          <Back frame={frame} view={view} />
        </>
      );
    case "boletoClosed":
    case "mandateEnded":
      return <Back frame={frame} view={view} />;
    default:
      return null;
  }
}

/** What the bank is asked to pay; of a trial, or a code that is not there yet, nothing. */
function Awaited({ frame, view }: Shown) {
  if (view.method === "cards") return <Slots frame={frame} view={view} />;
  const [card] = view.cards;
  return (card ? card.amount > 0 : !view.plan) ? <AtBank frame={frame} view={view} /> : null;
}
