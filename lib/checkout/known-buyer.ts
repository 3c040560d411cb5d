import type { PostalAddress } from "@/db/schema/customers";
import { cnpjOk, cpfOk, normalizeTaxId } from "@/lib/brazil/cpf-cnpj";
import { maskOf } from "@/lib/checkout/masks";
import { rememberedBy } from "@/lib/checkout/remembered";
import type { FieldName, KnownView } from "@/lib/checkout/view";
import { type Context, inTransaction } from "@/lib/context";
import { findCustomer } from "@/lib/customers/queries";
import type { SessionRow } from "@/lib/sessions/state";

export type KeptValues = ReadonlyMap<FieldName, string>;

/** What the shop or the buyer's own consent already says of who pays: kept here, shown masked. */
export interface KnownBuyer {
  readonly by: KnownView["by"];
  readonly values: KeptValues;
}

/**
 * The customer of a link that the shop's own server opened, or whom this browser has proved to be. Nothing for anybody
 * else: a link is passed on.
 */
export const knownBuyerOf = (ctx: Context, session: SessionRow, visit: string): Promise<KnownBuyer | undefined> =>
  inTransaction(ctx, async (inside) => {
    const { customerId, createdByKey } = session;
    const customer = customerId && createdByKey === null ? await findCustomer(inside, customerId) : undefined;
    if (customer) return { by: "shop", values: valuesOf(customer) };
    const remembered = await rememberedBy(inside, visit);
    return remembered && { by: "buyer", values: valuesOf(remembered) };
  });

interface Details {
  readonly name: string;
  readonly email: string;
  readonly documentNumber: string | null;
  readonly address: PostalAddress | null;
}

const ADDRESS: readonly (FieldName & keyof PostalAddress)[] = [
  "zipCode",
  "street",
  "streetNumber",
  "complement",
  "district",
  "city",
  "state",
];

/** People from abroad have another document, which this page does not ask for. */
const isTaxId = (text: string): boolean => cpfOk(text) || cnpjOk(text);

function valuesOf({ name, email, documentNumber, address }: Details): KeptValues {
  const all: (readonly [FieldName, string | null | undefined])[] = [
    ["name", name],
    ["email", email],
    ["document", documentNumber && isTaxId(documentNumber) ? normalizeTaxId(documentNumber) : null],
    ...ADDRESS.map((field) => [field, address?.[field]] as const),
  ];
  return new Map(all.flatMap(([field, value]) => (value ? [[field, value] as const] : [])));
}

export const knownView = ({ by, values }: KnownBuyer): KnownView => ({
  by,
  masks: Object.fromEntries([...values].map(([field, value]) => [field, maskOf(field, value)])),
});
