import QRCode from "qrcode";
import { elementsOf } from "@/lib/payment-documents/interleaved";

const BAR_HEIGHT = 40;

/** Rows of the code as one path of horizontal strokes, behind the number of modules on a side. */
export function qrPath(code: string): string {
  const { modules } = QRCode.create(code, { errorCorrectionLevel: "M" });
  const { size, data } = modules;
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!data[y * size + x]) continue;
      let end = x;
      while (end < size && data[y * size + end]) end++;
      path += `M${x} ${y}.5h${end - x}`;
      x = end;
    }
  }
  return `${size}|${path}`;
}

/** Bars as rectangles of one path, behind the whole width. */
export function barsPath(barcode: string): string {
  let x = 0;
  let path = "";
  for (const [index, width] of elementsOf(barcode).entries()) {
    if (index % 2 === 0) path += `M${x} 0h${width}v${BAR_HEIGHT}h-${width}z`;
    x += width;
  }
  return `${x}|${path}`;
}
