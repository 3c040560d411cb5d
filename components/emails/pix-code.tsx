import { toBuffer } from "qrcode";
import { Img } from "react-email";
import { Action, Code, Facts, Note, Paragraph, Subtitle, Title } from "@/components/emails/parts";
import { money } from "@/components/emails/payment-words";
import type { EmailTemplate } from "@/components/emails/template";
import { getTranslations, shownInstant } from "@/components/emails/words";

const QR_ID = "pix-qr";
const QR_SHOWN_PX = 240;
const QR_MADE_PX = 480;
const QUIET_MODULES = 4;

export const template: EmailTemplate<"pix-code"> = {
  subject: ({ data, locale, brand }) =>
    getTranslations("mail", locale)("pixSubject", { amount: money(data.amount, locale), shop: brand.name }),
  preview: ({ data, locale }) =>
    getTranslations("mail", locale)("pixUntil", { at: shownInstant(data.expiresAt, locale) }),
  Body({ data, locale, look }) {
    const t = getTranslations("mail", locale);
    const amount = money(data.amount, locale);
    return (
      <>
        <Title look={look}>{t("pixTitle", { amount })}</Title>
        <Paragraph look={look}>{t("pixUntil", { at: shownInstant(data.expiresAt, locale) })}</Paragraph>
        <Subtitle look={look}>{t("pixCopy")}</Subtitle>
        <Code look={look}>{data.code}</Code>
        <Subtitle look={look}>{t("pixScan")}</Subtitle>
        <Img
          src={`cid:${QR_ID}`}
          alt={t("pixQr", { amount })}
          width={QR_SHOWN_PX}
          height={QR_SHOWN_PX}
          style={{ backgroundColor: "#ffffff" }}
        />
        <Action look={look} href={data.url}>
          {t("seePayment")}
        </Action>
        <Facts look={look} facts={[[t("order"), data.orderId]]} />
        <Note look={look}>{t("pixPaidAlready")}</Note>
      </>
    );
  },
  /** Black on white in every theme: others do not scan. */
  async inline({ data }) {
    const content = await toBuffer(data.code, { type: "png", width: QR_MADE_PX, margin: QUIET_MODULES });
    return [{ fileName: "pix.png", contentType: "image/png", content, contentId: QR_ID }];
  },
};
