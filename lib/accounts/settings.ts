import { eq } from "drizzle-orm";
import { clients } from "@/db/schema/accounts";
import type { AccountStatus } from "@/lib/accounts/machine";
import { isAllowedFrom, MOST_ADDRESSES } from "@/lib/addresses";
import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { invalid, notFound } from "@/lib/errors";
import { TIME_ZONES, type TimeZone } from "@/lib/i18n/time-zones";

export const ACCOUNT_NAME_MAX_CHARS = 200;

export interface AccountSettings {
  name: string;
  status: AccountStatus;
  closedAt: Date | null;
  /** Null is São Paulo's. */
  timeZone: TimeZone | null;
  allowedAddresses: string[];
  createdAt: Date;
}

export const accountSettings = (ctx: Context): Promise<AccountSettings> =>
  inTransaction(ctx, async ({ db, account }) => {
    const [row] = await db
      .select({
        name: clients.name,
        status: clients.status,
        closedAt: clients.closedAt,
        timeZone: clients.timeZone,
        allowedAddresses: clients.allowedAddresses,
        createdAt: clients.createdAt,
      })
      .from(clients)
      .where(eq(clients.id, account.id));
    if (!row) throw notFound("account");
    return { ...row, timeZone: TIME_ZONES.find((zone) => zone === row.timeZone) ?? null };
  });

/** The zone is that of its pages for people who chose none; days of money are São Paulo's whatever it is. */
export async function changeAccount(
  ctx: Context,
  { name: given, timeZone }: { name: string; timeZone: TimeZone | null },
): Promise<void> {
  const name = given.trim();
  if (name === "" || name.length > ACCOUNT_NAME_MAX_CHARS)
    throw invalid(`name: 1 to ${ACCOUNT_NAME_MAX_CHARS} characters`);
  await inTransaction(ctx, async (inside) => {
    const before = await accountSettings(inside);
    if (before.name === name && before.timeZone === timeZone) return;
    await inside.db.update(clients).set({ name, timeZone }).where(eq(clients.id, inside.account.id));
    await audit(inside, {
      action: "account.update",
      object: "account",
      objectId: inside.account.id,
      before: { name: before.name, timeZone: before.timeZone },
      after: { name, timeZone },
    });
  });
}

/** From where the dashboard opens the account; nobody who sets it shuts themselves out. */
export async function allowAddresses(ctx: Context, addresses: readonly string[]): Promise<"done" | "outside"> {
  if (addresses.length > MOST_ADDRESSES) throw invalid(`addresses: at most ${MOST_ADDRESSES}`);
  if (ctx.principal.kind === "operator" && !isAllowedFrom(addresses, ctx.ip)) return "outside";
  return inTransaction(ctx, async (inside): Promise<"done"> => {
    const { allowedAddresses } = await accountSettings(inside);
    if (allowedAddresses.join() === addresses.join()) return "done";
    await inside.db
      .update(clients)
      .set({ allowedAddresses: [...addresses] })
      .where(eq(clients.id, inside.account.id));
    await audit(inside, {
      action: "account.addresses",
      object: "account",
      objectId: inside.account.id,
      before: { addresses: allowedAddresses },
      after: { addresses: [...addresses] },
    });
    return "done";
  });
}
