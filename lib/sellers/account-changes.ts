import { and, eq, gt, isNull } from "drizzle-orm";
import { type SellerBankAccount, sellerAccountChanges } from "@/db/schema/sellers";
import { audit } from "@/lib/audit";
import { type Context, inTransaction } from "@/lib/context";
import { notFound } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { PROPOSAL_SECONDS, SamePerson, secondPersonAbove } from "@/lib/operators/second-person";
import { mergedGroups, type OwnChange, sellerAt, updateSeller } from "@/lib/sellers/service";
import { addSeconds, realNow } from "@/lib/time";

export type AccountChange = typeof sellerAccountChanges.$inferSelect;

const operatorOf = ({ principal }: Context): string => {
  if (principal.kind !== "operator") throw new Error("a bank account is proposed and confirmed by people");
  return principal.operatorId;
};

type Account = NonNullable<OwnChange["bankAccount"]>;

/** What an account may lack is not the former one's, least of all the Pix key that it is paid by. */
const alone = (account: Account): Account => ({
  ...account,
  ispb: account.bank ? null : (account.ispb ?? null),
  branchCheckDigit: account.branchCheckDigit ?? null,
  accountCheckDigit: account.accountCheckDigit ?? null,
  pixKey: account.pixKey ?? null,
});

/**
 * A seller's new bank account, asked for in the dashboard. As soon as somebody else could confirm it, it waits for them;
 * until then one person is enough (design: two people, always).
 */
export const proposeAccount = (ctx: Context, sellerId: string, asked: Account): Promise<"proposed" | "changed"> =>
  inTransaction(ctx, async (inside) => {
    const bankAccount = alone(asked);
    const { row } = await sellerAt(inside, sellerId, "update");
    const waits = (await secondPersonAbove(inside, "sellers.bank", 0, row.merchantId)) !== null;
    if (!waits) {
      await updateSeller(inside, sellerId, { bankAccount });
      return "changed";
    }
    // What would be refused later is refused now.
    const proposed: SellerBankAccount = mergedGroups(row, { bankAccount }).bankAccount;
    const at = realNow();
    const { db, account } = inside;
    await db
      .update(sellerAccountChanges)
      .set({ endedAt: at, endedBy: operatorOf(ctx), outcome: "replaced" })
      .where(
        and(
          eq(sellerAccountChanges.clientId, account.id),
          eq(sellerAccountChanges.sellerId, sellerId),
          isNull(sellerAccountChanges.endedAt),
        ),
      );
    await db.insert(sellerAccountChanges).values({
      id: newId(),
      clientId: account.id,
      sellerId,
      bankAccount: proposed,
      askedBy: operatorOf(ctx),
      createdAt: at,
      expiresAt: addSeconds(at, PROPOSAL_SECONDS),
    });
    await audit(inside, {
      action: "seller.bank_account.propose",
      object: "seller",
      objectId: sellerId,
      before: { account: lastOf(row.bankAccount) },
      after: { account: lastOf(proposed) },
    });
    return "proposed";
  });

const SHOWN = [
  "holderName",
  "holderDocument",
  "bank",
  "branchNumber",
  "branchCheckDigit",
  "accountNumber",
  "accountCheckDigit",
  "type",
  "pixKey",
] as const satisfies (keyof SellerBankAccount)[];

export interface ChangedMember {
  member: (typeof SHOWN)[number];
  /** Undefined: there is none any more. */
  value: string | undefined;
}

/** All that a confirmation changes: an account of the same number may be paid by another's Pix key. */
export function changedMembers(before: SellerBankAccount, after: SellerBankAccount): ChangedMember[] {
  const memberOf = (account: SellerBankAccount, member: ChangedMember["member"]) =>
    member === "bank" ? (account.ispb ?? account.bank) : account[member];
  return SHOWN.filter((member) => memberOf(before, member) !== memberOf(after, member)).map((member) => ({
    member,
    value: memberOf(after, member),
  }));
}

const acting = (ctx: Context) =>
  and(
    eq(sellerAccountChanges.clientId, ctx.account.id),
    isNull(sellerAccountChanges.endedAt),
    gt(sellerAccountChanges.expiresAt, realNow()),
  );

export async function openAccountChange(ctx: Context, sellerId: string): Promise<AccountChange | undefined> {
  const [found] = await ctx.db
    .select()
    .from(sellerAccountChanges)
    .where(and(acting(ctx), eq(sellerAccountChanges.sellerId, sellerId)));
  return found;
}

/** Puts it into use, by somebody else than who asked; or sends it away, by anybody who may. */
export const endAccountChange = (
  ctx: Context,
  sellerId: string,
  id: string,
  outcome: "confirmed" | "refused",
): Promise<void> =>
  inTransaction(ctx, async (inside) => {
    const { row } = await sellerAt(inside, sellerId, "update");
    const found = await openAccountChange(inside, sellerId);
    if (found?.id !== id) throw notFound("bank account change");
    const by = operatorOf(ctx);
    if (outcome === "confirmed" && found.askedBy === by) throw new SamePerson();
    await inside.db
      .update(sellerAccountChanges)
      .set({ endedAt: realNow(), endedBy: by, outcome })
      .where(eq(sellerAccountChanges.id, id));
    if (outcome === "confirmed") {
      const bankAccount = alone(found.bankAccount);
      await updateSeller({ ...inside, secondPerson: found.askedBy }, sellerId, { bankAccount });
      return;
    }
    await audit(inside, {
      action: "seller.bank_account.refuse",
      object: "seller",
      objectId: sellerId,
      before: { askedBy: found.askedBy, account: lastOf(row.bankAccount) },
      after: { account: lastOf(found.bankAccount) },
    });
  });

const LAST = 4;
const lastOf = ({ accountNumber }: SellerBankAccount): string => accountNumber.slice(-LAST);
