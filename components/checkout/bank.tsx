import { money } from "@/components/checkout/formats";
import { exactText } from "@/components/checkout/parts";
import { ShownAs } from "@/components/checkout/shown-as";
import { cardName } from "@/components/checkout/slots";
import { getTranslations } from "@/components/checkout/words";
import type { ChallengeView, DeviceView } from "@/lib/checkout/card-lines";
import { partsOf } from "@/lib/checkout/instalments";
import type { Frame, PaymentView } from "@/lib/checkout/view";

/** What is with the bank, or what it is going to ask about: its page may say it in other words. */
export function AtBank({ frame: { locale, currency }, view }: { frame: Frame; view: PaymentView }) {
  const t = getTranslations("checkout", locale);
  const [card] = view.cards;
  const name = card && cardName(t, card);
  return (
    <dl className="card">
      <div className="row">
        <dt>{t("receipt.amount")}</dt>
        <dd className="whole">{money(locale, view.amount, currency)}</dd>
      </div>
      {name ? (
        <div className="row">
          <dt>{t("receipt.card")}</dt>
          <dd>{name}</dd>
        </div>
      ) : null}
      {card && card.installments > 1 ? (
        <div className="row">
          <dt>{t("receipt.installments")}</dt>
          <dd className="sums">{exactText(t, locale, currency, partsOf(card.amount, card.installments))}</dd>
        </div>
      ) : null}
    </dl>
  );
}

/** Banks refuse to be framed: from the shop's page the whole window goes there, or another one where it may not. */
export function ToBank({ challenge, frame }: { challenge: ChallengeView; frame: Frame }) {
  const t = getTranslations("checkout", frame.locale);
  return (
    <form
      method={challenge.method}
      action={challenge.action}
      className="go"
      target={frame.isEmbedded ? "_top" : undefined}
    >
      {Object.entries(challenge.fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button type="submit" className="btn">
        {t("button.bank")}
      </button>
      {frame.isEmbedded ? (
        <button type="submit" className="btn plain" formTarget="_blank">
          {t("button.bankWindow")}
        </button>
      ) : null}
    </form>
  );
}

/**
 * A page of the bank's that nobody sees looks at the browser; a script shows it and goes on when it is over. Whoever has
 * no script, or does not wait, goes on without it: the bank decides then on what it knows.
 */
export function AtDevice({ device, frame, own }: { device: DeviceView; frame: Frame; own: string }) {
  const t = getTranslations("checkout", frame.locale);
  return (
    <>
      <iframe
        name="device"
        title={t("pay.authenticate.heading")}
        hidden
        sandbox="allow-forms allow-scripts allow-same-origin"
      />
      <form method="post" action={device.action} target="device" data-device="" hidden>
        {Object.entries(device.fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      </form>
      <form method="post" action={`${own}/device`} className="go" data-device-next="">
        <ShownAs frame={frame} />
        <input type="hidden" name="seen" value="N" />
        <button type="submit" className="btn plain">
          {t("button.goOn")}
        </button>
      </form>
    </>
  );
}
