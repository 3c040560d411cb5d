import { Check, Minus } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { DataList } from "@/components/dashboard/data-list";
import { Card, CardHeader } from "@/components/ui/card";
import { isPaymentKind, type KindCapabilities, PAYMENT_KINDS } from "@/lib/providers/kinds";

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

/** What the kinds that are connected can do, from the one table of kinds. */
export async function Capabilities({ kinds }: { kinds: readonly string[] }) {
  const t = await getTranslations("merchants");
  return (
    <Card className="overflow-hidden">
      <CardHeader title={t("capabilities")} description={t("capabilitiesText")} />
      <DataList
        caption={t("capabilities")}
        columns={[{ key: "kind", title: t("kind") }, ...NAMES.map((name) => ({ key: name, title: t(TEXTS[name]) }))]}
        rows={kinds.filter(isPaymentKind).map((kind) => ({
          id: kind,
          cells: [
            <span key="kind" className="font-mono">
              {kind}
            </span>,
            ...NAMES.map((name) => {
              const can = PAYMENT_KINDS[kind][name];
              const Icon = can ? Check : Minus;
              return (
                <span key={name} className={can ? "text-success" : "text-ink-3"}>
                  <Icon aria-hidden className="inline size-4" />
                  <span className="sr-only">{can ? t("can") : t("cannot")}</span>
                </span>
              );
            }),
          ],
        }))}
      />
    </Card>
  );
}
