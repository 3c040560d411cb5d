import { redirect } from "next/navigation";
import { getLocale } from "next-intl/server";
import { PAYOUTS } from "@/app/(dashboard)/dashboard/payouts/words";
import { memberOf, notMember } from "@/app/(dashboard)/operator-context";
import { fileHeaders } from "@/app/files/reports/reply";
import { RequestError } from "@/lib/errors";
import { isUuid } from "@/lib/ids";
import { may } from "@/lib/operators/permissions";
import { statementFile } from "@/lib/statements/document";
import { isMonth } from "@/lib/statements/months";

/** The month of a merchant, or of one of its sellers. */
export async function GET(request: Request): Promise<Response> {
  const member = await memberOf();
  if (!member) return notMember();
  const { ctx, role } = member;
  if (!may(role, "payouts.see")) return new Response(null, { status: 404 });
  const { searchParams } = new URL(request.url);
  const [month, merchantId, seller] = ["month", "merchant", "seller"].map((name) => searchParams.get(name) ?? "");
  if (!month || !merchantId || !isMonth(month) || !isUuid(merchantId) || (seller && !isUuid(seller))) redirect(PAYOUTS);
  const locale = await getLocale();
  try {
    const file = await statementFile(ctx, { merchantId, sellerId: seller || null, month }, { locale, role });
    return new Response(Buffer.from(file.content), {
      headers: { ...fileHeaders(file.name), "content-type": "application/pdf" },
    });
  } catch (thrown) {
    if (thrown instanceof RequestError && thrown.status === 404) return new Response(null, { status: 404 });
    throw thrown;
  }
}
