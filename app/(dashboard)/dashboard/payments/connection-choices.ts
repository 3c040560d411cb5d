import { distinctNames } from "@/app/(dashboard)/dashboard/flows/words";
import type { ChosenConnection } from "@/lib/charges/to-choose";
import { isAntifraudKind } from "@/lib/providers/kinds";

interface ChoosableMerchant {
  id: string;
  name: string | null;
}

/** Connections that payments go through and that neither their kind nor their merchant tells apart: some merchant has several of one kind. */
export async function connectionChoices(
  connections: readonly ChosenConnection[],
  merchants: readonly ChoosableMerchant[],
): Promise<{ value: string; label: string }[]> {
  const hasTwin = ({ id, kind, merchantId }: ChosenConnection): boolean =>
    connections.some((one) => one.id !== id && one.kind === kind && one.merchantId === merchantId);
  const names = await distinctNames(connections, new Map(merchants.map(({ id, name }) => [id, name ?? id])));
  return connections
    .filter((one) => !isAntifraudKind(one.kind) && hasTwin(one))
    .map(({ id, name }) => ({ value: id, label: names[id] ?? name }));
}
