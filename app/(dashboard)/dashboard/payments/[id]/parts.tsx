import { CircleCheck, CircleX, Hourglass, UsersRound } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { whoActed } from "@/app/(dashboard)/dashboard/payments/[id]/panels";
import { Card } from "@/components/ui/card";
import { classes } from "@/components/ui/classes";
import { LinkButton } from "@/components/ui/link-button";
import { Patience } from "@/components/ui/patience";
import { Skeleton } from "@/components/ui/skeleton";
import { type Proposal, REFUND_PROPOSED } from "@/lib/charges/refund-proposals";
import type { Context } from "@/lib/context";

const NOTICES = {
  done: { icon: CircleCheck, look: "bg-success-soft text-success" },
  waiting: { icon: Hourglass, look: "bg-info-soft text-info" },
  failed: { icon: CircleX, look: "bg-danger-soft text-danger" },
};

export interface ShownNotice {
  kind: keyof typeof NOTICES;
  text: string;
}

/** How what was just asked ended. */
export function Notice({ kind, text }: ShownNotice) {
  const { icon: Icon, look } = NOTICES[kind];
  return (
    <p role="status" className={classes("mt-5 flex items-start gap-2.5 rounded-lg px-4 py-3 text-sm", look)}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{text}</span>
    </p>
  );
}

export function PanelSkeleton() {
  return (
    <Patience>
      <Card className="grid gap-3 p-5">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-24 w-full" />
      </Card>
    </Patience>
  );
}

interface ProposalNoteProps {
  ctx: Context;
  proposal: Proposal;
  path: string;
  money: (cents: number) => string;
  /** It was written down just now. */
  isNew: boolean;
}

/** A refund that waits for a second person: who asked for it, and the way to confirm it for everybody else. */
export async function ProposalNote({ ctx, proposal, path, money, isNew }: ProposalNoteProps) {
  const t = await getTranslations("payments");
  const { by, amount, at } = proposal;
  const act = { id: "", actor: by, secondActor: null, action: REFUND_PROPOSED, amount, at };
  const who = await whoActed(ctx, [act]);
  const isOwn = ctx.principal.kind === "operator" && by === `operator:${ctx.principal.operatorId}`;
  return (
    <div
      role="status"
      className="mt-5 flex flex-wrap items-center gap-3 rounded-lg bg-warning-soft px-4 py-3 text-sm text-warning"
    >
      <UsersRound aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1">
        {isOwn || isNew
          ? t("proposalOwn", { amount: money(amount) })
          : t("proposalOther", {
              amount: money(amount),
              who: who(act),
            })}
      </span>
      {isOwn ? null : (
        <LinkButton href={`${path}?do=refund&amount=${amount}`} scroll={false} size="sm">
          {t("proposalConfirm")}
        </LinkButton>
      )}
    </div>
  );
}
