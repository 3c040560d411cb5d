import { getTranslations } from "next-intl/server";
import { revokeAccessAction } from "@/app/(dashboard)/dashboard/sellers/actions";
import { realTime } from "@/app/(dashboard)/real-time";
import { TaskButton } from "@/components/tasks/task-button";
import { Card, CardHeader } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { type Context, inSnapshot } from "@/lib/context";
import { openAccesses } from "@/lib/seller-access/invite";

interface OwnPageCardProps {
  ctx: Context;
  sellerId: string;
  path: string;
  isMasked: boolean;
}

/** Who may open the seller's own page, and since when they do. */
export async function OwnPageCard({ ctx, sellerId, path, isMasked }: OwnPageCardProps) {
  const [t, real] = await Promise.all([getTranslations("sellers"), realTime(ctx.account.clock)]);
  const accesses = await inSnapshot(ctx, (inside) => openAccesses(inside, sellerId));
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={t("ownPage")}
        description={t("ownPageText")}
        actions={
          <LinkButton href={`${path}?do=invite`} scroll={false} size="sm">
            {t("invite")}
          </LinkButton>
        }
      />
      {accesses.length === 0 ? <p className="px-5 py-4 text-ink-3 text-sm">{t("ownPageNone")}</p> : null}
      <ul className="divide-y divide-line">
        {accesses.map(({ id, email, enteredAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 px-5 py-3">
            <div className="min-w-0">
              <p className="break-all text-ink text-sm">{isMasked ? MASK : email}</p>
              <p className="text-ink-3 text-xs">
                {enteredAt ? t("inviteEntered", { day: real.text(enteredAt, true) }) : t("inviteNever")}
              </p>
            </div>
            <TaskButton text={t("revoke")} hidden={{ id: sellerId, access: id }} onAct={revokeAccessAction} size="sm" />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const MASK = "•••@•••";
