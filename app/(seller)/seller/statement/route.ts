import { redirect } from "next/navigation";
import { getLocale } from "next-intl/server";
import { requireEntered } from "@/app/(seller)/entered";
import { fileHeaders } from "@/app/files/reports/reply";
import { inSnapshot } from "@/lib/context";
import { SELLER_PATH } from "@/lib/seller-access/links";
import { sellerAt } from "@/lib/sellers/service";
import { statementFile } from "@/lib/statements/document";
import { isMonth } from "@/lib/statements/months";

/** A seller's own month; the session says whose, and nothing of the address does. */
export async function GET(request: Request): Promise<Response> {
  const { ctx, sellerId } = await requireEntered();
  const month = new URL(request.url).searchParams.get("month") ?? "";
  if (!isMonth(month)) redirect(SELLER_PATH);
  const { row } = await inSnapshot(ctx, (inside) => sellerAt(inside, sellerId));
  const locale = await getLocale();
  const file = await statementFile(ctx, { merchantId: row.merchantId, sellerId, month }, { locale });
  return new Response(Buffer.from(file.content), {
    headers: { ...fileHeaders(file.name), "content-type": "application/pdf" },
  });
}
