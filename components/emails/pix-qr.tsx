import { toBuffer } from "qrcode";
import { Img } from "react-email";
import { Subtitle } from "@/components/emails/parts";
import { getTranslations } from "@/components/emails/words";
import type { Tokens } from "@/lib/branding/palette";
import type { Locale } from "@/lib/i18n/locales";

const ID = "pix-qr";
const SHOWN_PX = 240;
const MADE_PX = 480;
const QUIET_MODULES = 4;

/** Where the picture of `pixQr` stands. As plain text there is none, and nothing is said of it. */
export function PixQr({ look, amount, locale }: { look: Tokens; amount: string; locale: Locale }) {
  const t = getTranslations("mail", locale);
  return (
    <div data-skip-in-text="true">
      <Subtitle look={look}>{t("pixScan")}</Subtitle>
      <Img
        src={`cid:${ID}`}
        alt={t("pixQr", { amount })}
        width={SHOWN_PX}
        height={SHOWN_PX}
        style={{ backgroundColor: "#ffffff" }}
      />
    </div>
  );
}

/** The picture of a code, to travel with the e-mail. Black on white in every theme: others do not scan. */
export async function pixQr(code: string) {
  const content = await toBuffer(code, { type: "png", width: MADE_PX, margin: QUIET_MODULES });
  return { fileName: "pix.png", contentType: "image/png", content, contentId: ID };
}
