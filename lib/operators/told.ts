import { inArray } from "drizzle-orm";
import { operators } from "@/db/schema/operators";
import { type Context, now } from "@/lib/context";
import { tell } from "@/lib/tell";

const PATH = "/dashboard/settings/team";
/** Who invites where no person does: the command line. */
export const ISSUER = "Trilho";

/** In the transaction of the change. Row security hides people from the triggers, so they cannot name them. */
export async function tellOfMember(
  { db, account, ...ctx }: Context,
  kind: "member_joined" | "role_changed",
  { operatorId, by }: { operatorId: string; by: string | null },
): Promise<void> {
  const ids = by === null ? [operatorId] : [operatorId, by];
  const { id, name, email } = operators;
  const rows = await db.select({ id, name, email }).from(operators).where(inArray(id, ids));
  const calledOf = (person: string) => {
    const row = rows.find((one) => one.id === person);
    return row?.name || row?.email;
  };
  await tell(db, {
    clientId: account.id,
    kind,
    path: PATH,
    at: now({ ...ctx, db, account }),
    name: calledOf(operatorId) ?? "",
    byName: (by === null ? undefined : calledOf(by)) ?? ISSUER,
    ...(kind === "member_joined" ? { askedBy: operatorId } : {}),
  });
}
