import { getFormatter, getTranslations } from "next-intl/server";
import { DataList } from "@/components/dashboard/data-list";
import { providerName } from "@/components/merchants/provider-names";
import { Card, CardHeader } from "@/components/ui/card";
import { noonOf } from "@/lib/brazil/bank-calendar";
import { BRAND_NAMES, BRANDS, type Brand } from "@/lib/brazil/card-brand";
import { isPaymentKind, type KindCapabilities } from "@/lib/providers/kinds";
import { type MatrixRow, matrixRow } from "@/lib/providers/matrix";

const TEXTS = {
  card: "canCard",
  pix: "canPix",
  boleto: "canBoleto",
  split: "canSplit",
  threeDS2: "canThreeDS",
  voucher: "canVoucher",
  instalmentPix: "canInstalmentPix",
} as const satisfies Record<keyof KindCapabilities, string>;
// Object.keys of the literal gives exactly its keys.
const NAMES = Object.keys(TEXTS) as (keyof KindCapabilities)[];

/** What the kinds that are connected can do, and how far their adapters were proven. */
export async function Capabilities({ kinds }: { kinds: readonly string[] }) {
  const [t, format] = await Promise.all([getTranslations("merchants"), getFormatter()]);
  const day = (on: string) => format.dateTime(noonOf(on), { dateStyle: "medium" });
  const rows = kinds.filter(isPaymentKind).map((kind) => ({ kind, row: matrixRow(kind) }));
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("capabilities")} description={t("capabilitiesText")} />
      <DataList
        caption={t("capabilities")}
        columns={[
          { key: "kind", title: t("kind") },
          { key: "can", title: t("can"), isWhole: true },
          { key: "brands", title: t("canBrands"), isWhole: true },
          { key: "zeroAmount", title: t("canZeroAmount"), isWhole: true },
          { key: "verified", title: t("verified"), isWhole: true },
        ]}
        rows={rows.map(({ kind, row }) => ({
          id: kind,
          cells: [
            providerName(kind),
            NAMES.filter((name) => row[name] !== false && row[name] !== "none")
              .map((name) => t(TEXTS[name]))
              .join(", ") || NONE,
            brandsOf(row.brands, t),
            brandsOf(row.zeroAmount, t),
            proofOf(row, t, day),
          ],
        }))}
      />
    </Card>
  );
}

type Texts = Awaited<ReturnType<typeof getTranslations<"merchants">>>;

const NONE = "—";
const NAMED: readonly Brand[] = BRANDS.filter((brand) => BRAND_NAMES[brand] !== "Unknown");

function brandsOf(brands: MatrixRow["brands"], t: Texts): string {
  if (!brands || brands.length === 0) return NONE;
  const named = NAMED.filter((brand) => brands.includes(brand));
  return named.length === NAMED.length ? t("allBrands") : named.map((brand) => BRAND_NAMES[brand]).join(", ");
}

/** The newest proof counts for more: a run against the provider's own sandbox, else one against its documents. */
function proofOf({ verified }: MatrixRow, t: Texts, day: (on: string) => string): string {
  if (verified?.liveSandbox) return t("verifiedLive", { day: day(verified.liveSandbox) });
  return verified?.offlineContract ? t("verifiedOffline", { day: day(verified.offlineContract) }) : t("verifiedNot");
}
