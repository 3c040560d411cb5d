import type postgres from "postgres";
import { KEY_ID_BYTES } from "@/lib/kek";
import { KEPT, type Purpose } from "@/lib/purposes";

type Owner = "trilho_system" | "trilho_vault";

/** A column whose values TRILHO_KEK has sealed. */
export interface SealedColumn {
  /** In the plural, as a person names the rows. */
  readonly what: string;
  /** What is lost with the key, in a sentence. */
  readonly loss: string;
  readonly owner: Owner;
  readonly table: string;
  readonly id: string;
  readonly idType: "uuid" | "text";
  readonly column: string;
  readonly purpose: Purpose;
  /** SQL of the text that the value is bound to. */
  readonly bound: string;
}

/** Everything that is sealed under TRILHO_KEK and kept: whoever seals something new adds its column. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    what: "card numbers",
    loss: "saved cards cannot be charged and open card payments cannot go on; buyers type their cards again",
    owner: "trilho_vault",
    table: "vault.cards",
    id: "id",
    idType: "uuid",
    column: "wrapped_key",
    purpose: KEPT.dataKey,
    bound: "client_id || '|' || id",
  },
  {
    what: "keys of CVVs",
    loss: "CVVs of the last ten minutes; those buyers type theirs again",
    owner: "trilho_vault",
    table: "vault.cvv_keys",
    id: "id",
    idType: "uuid",
    column: "wrapped",
    purpose: KEPT.cvvKey,
    bound: "id::text",
  },
  {
    what: "keys of card fingerprints",
    loss: "a card typed again is not recognized as the same card, and its retry limits count anew",
    owner: "trilho_vault",
    table: "vault.keys",
    id: "name",
    idType: "text",
    column: "wrapped",
    purpose: KEPT.vaultKey,
    bound: "name",
  },
  {
    what: "provider credentials",
    loss: "nothing can be charged or refunded through these providers until their credentials are entered again",
    owner: "trilho_system",
    table: "providers",
    id: "id",
    idType: "uuid",
    column: "credentials",
    purpose: KEPT.credentials,
    bound: "id::text",
  },
  {
    what: "proposed provider credentials",
    loss: "they are proposed again",
    owner: "trilho_system",
    table: "provider_rotations",
    id: "id",
    idType: "uuid",
    column: "credentials",
    purpose: KEPT.credentials,
    bound: "provider_id::text",
  },
  {
    what: "webhook signing keys",
    loss: "these webhooks cannot be sent until their keys are rotated",
    owner: "trilho_system",
    table: "webhooks",
    id: "id",
    idType: "uuid",
    column: "private_key",
    purpose: KEPT.webhookKey,
    bound: "id::text",
  },
  {
    what: "earlier webhook signing keys",
    loss: "webhooks are signed with their newer key alone",
    owner: "trilho_system",
    table: "webhooks",
    id: "id",
    idType: "uuid",
    column: "previous_private_key",
    purpose: KEPT.webhookKey,
    bound: "id::text",
  },
  {
    what: "sellers' documents",
    loss: "sellers upload their documents again; what providers have received stays there",
    owner: "trilho_system",
    table: "seller_documents",
    id: "id",
    idType: "uuid",
    column: "wrapped_key",
    purpose: KEPT.sellerDocument,
    bound: "client_id || '|' || id",
  },
  {
    what: "authenticator apps",
    loss: "these people sign in with a recovery code or a passkey and add their app again",
    owner: "trilho_system",
    table: "operator_totps",
    id: "operator_id",
    idType: "uuid",
    column: "secret",
    purpose: KEPT.totp,
    bound: "operator_id::text",
  },
];

/** Of one sealed column: the id of the key, as SQL. */
export const keyIdIn = ({ column }: SealedColumn): string => `substring(${column} from 1 for ${KEY_ID_BYTES})`;

/** A transaction as the role that owns the rows of the column, across accounts. */
export async function asOwner<T>(
  sql: postgres.Sql,
  owner: Owner,
  work: (transaction: postgres.TransactionSql) => Promise<T>,
): Promise<T> {
  const result = await sql.begin(async (transaction) => {
    await transaction`select set_config('role', ${owner}, true), set_config('app.vault_upkeep', 'on', true)`;
    return { of: await work(transaction) };
  });
  return result.of;
}

/** How many rows of each column each key has sealed. */
export interface Use {
  column: SealedColumn;
  /** In hexadecimal digits, as people see it. */
  keyId: string;
  rows: number;
}

export async function usesOfKeys(sql: postgres.Sql): Promise<Use[]> {
  const uses: Use[] = [];
  for (const column of SEALED_COLUMNS) {
    const found = await asOwner(sql, column.owner, (transaction) =>
      transaction.unsafe<{ key_id: string; rows: string }[]>(`
         select encode(${keyIdIn(column)}, 'hex') as key_id, count(*) as rows
           from ${column.table} where ${column.column} is not null group by 1 order by 1`),
    );
    uses.push(...found.map(({ key_id, rows }) => ({ column, keyId: key_id, rows: Number(rows) })));
  }
  return uses;
}

/** "3 provider credentials, 12 card numbers" */
export const listed = (uses: readonly Use[]): string =>
  uses.map(({ rows, column }) => `${rows} ${column.what}`).join(", ");
