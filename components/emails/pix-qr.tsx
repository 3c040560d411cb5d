import { toBuffer } from "qrcode";
import { Img } from "react-email";

const ID = "pix-qr";
const SHOWN_PX = 240;
const MADE_PX = 480;
const QUIET_MODULES = 4;

/** Where the picture of `pixQr` stands. */
export const PixQr = ({ alt }: { alt: string }) => (
  <Img src={`cid:${ID}`} alt={alt} width={SHOWN_PX} height={SHOWN_PX} style={{ backgroundColor: "#ffffff" }} />
);

/** The picture of a code, to travel with the e-mail. Black on white in every theme: others do not scan. */
export async function pixQr(code: string) {
  const content = await toBuffer(code, { type: "png", width: MADE_PX, margin: QUIET_MODULES });
  return { fileName: "pix.png", contentType: "image/png", content, contentId: ID };
}
