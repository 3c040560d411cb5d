import { type Context, inSnapshot } from "@/lib/context";
import { env } from "@/lib/env";
import { notFound } from "@/lib/errors";
import type { Locale } from "@/lib/i18n/locales";
import { unlimited } from "@/lib/operators/reach";
import type { OperatorRole } from "@/lib/operators/sessions";
import { statementPdf } from "@/lib/payment-documents/statement-pdf";
import { shownSeller } from "@/lib/sellers/operator-queries";
import { findSeller, type SellerRow } from "@/lib/sellers/queries";
import { lookOfShop } from "@/lib/settings/brand";
import { statementName } from "@/lib/statements/name";
import { monthlyStatement, type StatementOf } from "@/lib/statements/service";

export interface StatementFile {
  name: string;
  content: Uint8Array;
}

/** The PDF of a month. With a role it is for the dashboard: as the role may know names, with links to its pages. */
export async function statementFile(
  ctx: Context,
  of: StatementOf,
  { locale, role }: { locale: Locale; role?: OperatorRole },
): Promise<StatementFile> {
  const { sellerId, merchantId, month } = of;
  const seller = sellerId === null ? undefined : await inSnapshot(ctx, (inside) => findSeller(inside, sellerId));
  if (sellerId !== null && seller?.row.merchantId !== merchantId) throw notFound("seller");
  const statement = await monthlyStatement(ctx, of);
  // Seen to be theirs by now: its look is of the whole account.
  const shop = await lookOfShop(unlimited(ctx), merchantId);
  const page = (path: string) => (role ? `${env().BASE_URL}/dashboard/${path}` : undefined);
  const party = nameOf(seller?.row, role) ?? shop.name;
  const content = await statementPdf(
    {
      ...statement,
      party,
      shop: shop.name,
      month,
      isSandbox: ctx.account.mode === "sandbox",
      payouts: statement.payouts.map((payout) => ({ ...payout, href: page(`payouts/batches/${payout.id}`) })),
      others: statement.others.map((other) => ({
        ...other,
        href: page(other.batchId ? `payouts/batches/${other.batchId}` : `sellers/${other.sellerId}`),
      })),
      rows: statement.rows.map((row) => ({ ...row, href: page(`payments/${row.paymentId}`) })),
    },
    locale,
  );
  return { name: statementName({ locale, month, party, id: sellerId ?? merchantId }), content };
}

const nameOf = (row: SellerRow | undefined, role: OperatorRole | undefined): string | undefined =>
  row && (role ? shownSeller(role, row).name : (row.businessName ?? row.ownerName));
