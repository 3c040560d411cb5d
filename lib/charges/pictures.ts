import bwipjs from "bwip-js/node";
import { eq } from "drizzle-orm";
import QRCode from "qrcode";
import { systemDb } from "@/db/client";
import { charges } from "@/db/schema/charges";
import { notFound } from "@/lib/errors";

const QR_PIXELS = 512;
const BAR_HEIGHT_MM = 13;
const BAR_SCALE = 2;

/** PNG. Pictures carry no more than the code a buyer is shown anyway; whoever has the charge's id may load them. */
export const qrcodePicture = async (id: string): Promise<Buffer> => {
  const code = await memberOf(id, "qrCodeData");
  return QRCode.toBuffer(code, { errorCorrectionLevel: "M", width: QR_PIXELS, margin: 2 });
};

export const barcodePicture = async (id: string): Promise<Buffer> => {
  const text = await memberOf(id, "barcode");
  return bwipjs.toBuffer({
    bcid: "interleaved2of5",
    text,
    height: BAR_HEIGHT_MM,
    scale: BAR_SCALE,
    includetext: false,
  });
};

async function memberOf(id: string, member: string): Promise<string> {
  const [row] = await systemDb().select({ method: charges.paymentMethod }).from(charges).where(eq(charges.id, id));
  const value = row?.method[member];
  if (typeof value !== "string") throw notFound("picture");
  return value;
}
