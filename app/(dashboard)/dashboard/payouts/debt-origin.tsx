import Link from "next/link";
import { getFormatter, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { BATCHES, PAYOUTS, payoutWords } from "@/app/(dashboard)/dashboard/payouts/words";
import type { CivilDate } from "@/lib/brazil/bank-calendar";
import type { CarriedBatch } from "@/lib/sellers/carried";

interface Debt {
  carried: readonly CarriedBatch[];
  /** When something comes that it can be deducted from. */
  next: CivilDate | undefined;
  /** In the address of the overview, whose days they are. */
  of: string;
}

/** From which batches a debt was carried over, and when the next deduction is expected. */
export async function debtOrigin({ carried, next, of }: Debt): Promise<ReactNode> {
  const [t, { day }, format] = await Promise.all([getTranslations("payouts"), payoutWords(), getFormatter()]);
  const link = (href: string, text: ReactNode) => (
    <Link key={href} href={href} className="relative rounded-sm underline underline-offset-4">
      {text}
    </Link>
  );
  const batches = format.list(carried.map(({ id, day: of }) => link(`${BATCHES}/${id}`, day(of))));
  return (
    <>
      {carried.length > 0 ? <> {t.rich("debtFrom", { count: carried.length, batches: () => batches })}</> : null}
      {next ? (
        <> {t.rich("debtNext", { day: day(next), next: (text) => link(`${PAYOUTS}?${of}&day=${next}`, text) })}</>
      ) : null}
    </>
  );
}
