import { Download } from "@/components/checkout/download";
import { groupedLine, money } from "@/components/checkout/formats";
import { Icon } from "@/components/checkout/icons";
import { ShownAs } from "@/components/checkout/shown-as";
import { Simulate } from "@/components/checkout/simulate";
import { getTranslations } from "@/components/checkout/words";
import { saoPauloDay } from "@/lib/brazil/bank-calendar";
import { type Frame, type PaymentView, shownAs } from "@/lib/checkout/view";
import { civilDayText, momentDayText, timeText } from "@/lib/i18n/dates";
import { lateFeeLines } from "@/lib/payment-documents/late-fees";

const QR_CELL_SVG = { shapeRendering: "crispEdges" } as const;
/** Modules of white around the code, without which cameras do not find it. */
const QUIET_ZONE = 4;

function Qr({ path, label }: { path: string; label: string }) {
  // The first word of the path is the number of modules on a side.
  const [size = "0", d = ""] = path.split("|");
  const side = Number(size) + QUIET_ZONE * 2;
  return (
    <div className="qr">
      <svg viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`} role="img" aria-label={label} {...QR_CELL_SVG}>
        <path d={d} stroke="#000" strokeWidth="1" />
      </svg>
    </div>
  );
}

export function Pix({ frame, view }: { frame: Frame; view: PaymentView }) {
  const { locale, currency, shop, base } = frame;
  const t = getTranslations("checkout", locale);
  const { pix } = view;
  if (!pix) return null;
  const words = view.state === "mandate" ? AUTHORIZING : PAYING;
  const own = `${base}/p/${view.token}`;
  const time = timeText(locale, pix.expiresAt);
  const valid = pix.isToday
    ? t("pay.pix.validToday", { time })
    : t("pay.pix.validUntil", { date: momentDayText(locale, pix.expiresAt), time });
  return (
    <>
      <p>{valid}</p>
      {view.state === "mandate" && frame.isSandbox ? (
        <p>
          <b>{t("pay.mandate.simulated")}</b>
        </p>
      ) : null}
      <div className="card two-up">
        <div className="pix">
          <button type="button" className="btn" data-copy="code" data-copied={t("button.copied")} hidden>
            <Icon name="copy" size={20} />
            <span>{t("button.copy")}</span>
          </button>
          <div>
            <label className="lab" htmlFor="code">
              {t("pay.pix.code")}
            </label>
            <textarea id="code" className="code" readOnly rows={6} defaultValue={pix.code} spellCheck={false} />
          </div>
          <ol>
            <li>{t("pay.pix.step1")}</li>
            <li>{t("pay.pix.step2")}</li>
            <li>{t(words.step3)}</li>
          </ol>
          {view.email ? <p className="muted">{t("pay.pix.email", { email: view.email })}</p> : null}
          <p className="muted">{t("pay.pix.receiver", { shop: shop?.name ?? "" })}</p>
          <div>
            <p className="live" id="live">
              <span className="dot" aria-hidden="true" />
              <span data-live-text="">{t(view.asked ? words.notYet : words.waiting)}</span>
            </p>
            <p className="muted" id="timer" hidden />
          </div>
        </div>
        <Qr path={pix.qr} label={t(words.qr, { amount: money(locale, view.amount, currency) })} />
      </div>
      <noscript>
        <form method="post" action={`${own}/check`} className="go">
          <ShownAs frame={frame} />
          <button type="submit" className="btn">
            {t(words.check)}
          </button>
        </form>
      </noscript>
      {view.canSimulate ? <Simulate frame={frame} own={own} /> : null}
      <OtherMethod frame={frame} view={view} />
    </>
  );
}

/** What waits is closed once another method is pressed, and not before. */
export function OtherMethod({ frame, view }: { frame: Frame; view: PaymentView }) {
  if (!view.hasOther) return null;
  return (
    <a className="btn plain" href={`${frame.base}?other=1&${shownAs(frame)}`}>
      {getTranslations("checkout", frame.locale)("button.other")}
    </a>
  );
}

const PAYING = {
  step3: "pay.pix.step3",
  notYet: "pay.pix.notYet",
  waiting: "pay.pix.waiting",
  qr: "pay.pix.qr",
  check: "button.check",
} as const;
const AUTHORIZING = {
  step3: "pay.mandate.step3",
  notYet: "pay.mandate.notYet",
  waiting: "pay.mandate.waiting",
  qr: "pay.mandate.qr",
  check: "pay.mandate.check",
} as const;

export function Boleto({ frame, view }: { frame: Frame; view: PaymentView }) {
  const { locale, currency, base } = frame;
  const t = getTranslations("checkout", locale);
  const { boleto } = view;
  if (!boleto) return null;
  const own = `${base}/p/${view.token}`;
  const shown = groupedLine(boleto.line);
  const [width = "0", d = ""] = boleto.bars.split("|");
  const until = view.state === "boleto" ? saoPauloDay(boleto.payableUntil) : undefined;
  const late = lateFeeLines(boleto.late, locale, until);
  return (
    <>
      <div className="card">
        <dl>
          <div className="row">
            <dt>{t("pay.boleto.amount")}</dt>
            <dd className="whole">{money(locale, view.amount, currency)}</dd>
          </div>
          <div className="row">
            <dt>{t("pay.boleto.due")}</dt>
            <dd className="sums">{civilDayText(locale, boleto.dueOn)}</dd>
          </div>
          {boleto.owed === null ? null : (
            <div className="row">
              <dt>{t("pay.boletoOverdue.owed")}</dt>
              <dd className="whole">{money(locale, boleto.owed, currency)}</dd>
            </div>
          )}
        </dl>
        <p className="lab go">{t("pay.boleto.line")}</p>
        <p className="line" id="line">
          {shown}
        </p>
        <div className="stack">
          <button type="button" className="btn" data-copy="line" data-copied={t("button.lineCopied")} hidden>
            <Icon name="copy" size={20} />
            <span>{t("button.copyLine")}</span>
          </button>
          <div className="bars">
            <svg
              viewBox={`0 0 ${width} 40`}
              preserveAspectRatio="none"
              role="img"
              aria-label={t("pay.boleto.barcode", { line: shown })}
              shapeRendering="crispEdges"
            >
              <path d={d} fill="#000" />
            </svg>
          </div>
          <Download frame={frame} href={`${own}/boleto.pdf?lang=${locale}`}>
            {t("button.boletoPdf")}
          </Download>
        </div>
        {boleto.instructions ? (
          <p className="note">
            <b>{t("pay.boleto.instructions")}</b>
            <br />
            {boleto.instructions}
          </p>
        ) : null}
        {late.length > 0 ? <p className="note">{late.join(" ")}</p> : null}
        {boleto.owed === null ? null : <p className="note">{t("pay.boletoOverdue.exact")}</p>}
        {view.state === "boletoOverdue" ? null : <p className="note">{t("pay.boleto.bankDay")}</p>}
        <p className="note">{t("pay.boleto.confirmation")}</p>
        {view.email ? <p className="note">{t("pay.boleto.email", { email: view.email })}</p> : null}
        <p className="live go" id="live">
          <span className="dot" aria-hidden="true" />
          <span data-live-text="">{t("pay.boleto.waiting")}</span>
        </p>
      </div>
      {boleto.pix ? <SlipPix frame={frame} amount={view.amount} pix={boleto.pix} /> : null}
      {view.canSimulate ? <Simulate frame={frame} own={own} /> : null}
      <OtherMethod frame={frame} view={view} />
    </>
  );
}

/** The slip's other code: whoever pays by it pays the slip, at once. */
function SlipPix({ frame, amount, pix }: { frame: Frame; amount: number; pix: { code: string; qr: string } }) {
  const { locale, currency } = frame;
  const t = getTranslations("checkout", locale);
  return (
    <section className="card two-up" aria-labelledby="slip-pix">
      <div className="pix">
        <div>
          <h2 id="slip-pix">{t("pay.boleto.pixHeading")}</h2>
          <p className="muted">{t("pay.boleto.pixBody")}</p>
        </div>
        <button type="button" className="btn two" data-copy="code" data-copied={t("button.copied")} hidden>
          <Icon name="copy" size={20} />
          <span>{t("button.copy")}</span>
        </button>
        <div>
          <label className="lab" htmlFor="code">
            {t("pay.pix.code")}
          </label>
          <textarea id="code" className="code" readOnly rows={6} defaultValue={pix.code} spellCheck={false} />
        </div>
      </div>
      <Qr path={pix.qr} label={t("pay.pix.qr", { amount: money(locale, amount, currency) })} />
    </section>
  );
}
