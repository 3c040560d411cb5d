import { CircleCheck, CircleX, Hourglass, UsersRound } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { endProposalAction } from "@/app/(dashboard)/dashboard/payments/[id]/actions";
import type { Words } from "@/app/(dashboard)/dashboard/payments/[id]/sentences";
import { TaskButton } from "@/components/tasks/task-button";
import { Card } from "@/components/ui/card";
import { classes } from "@/components/ui/classes";
import { LinkButton } from "@/components/ui/link-button";
import { Outcome } from "@/components/ui/outcome";
import { Patience } from "@/components/ui/patience";
import { Skeleton } from "@/components/ui/skeleton";
import type { Act } from "@/lib/charges/overview";
import { type PaymentProposal, PROPOSED } from "@/lib/charges/proposals";

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
    <Outcome text={text} className={classes("mt-5 flex items-start gap-2.5 rounded-lg px-4 py-3 text-sm", look)}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{text}</span>
    </Outcome>
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

/** As the panels name people. */
export const actOfProposal = ({ action, by, amount, at }: PaymentProposal): Act => ({
  id: "",
  actor: by,
  secondActor: null,
  action: PROPOSED[action],
  amount,
  reason: null,
  at,
});

interface ProposalNoteProps {
  proposal: PaymentProposal;
  /** Asked for by whoever looks. */
  isOwn: boolean;
  who: string;
  path: string;
  words: Words;
}

const PROPOSAL_TEXTS = {
  refund: { own: "proposalOwn", other: "proposalOther" },
  hand_back: { own: "proposalHandOwn", other: "proposalHandOther" },
} as const;

/** What waits for a second person: the way to approve it, or to take it back for who asked. */
export async function ProposalNote({ proposal, isOwn, who, path, words }: ProposalNoteProps) {
  const t = await getTranslations("payments");
  const amount = words.money(proposal.amount);
  const texts = PROPOSAL_TEXTS[proposal.action];
  return (
    <div
      role="status"
      className="mt-5 flex flex-wrap items-center gap-3 rounded-lg bg-warning-soft px-4 py-3 text-sm text-warning"
    >
      <UsersRound aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 basis-64">
        {isOwn ? t(texts.own, { amount }) : t(texts.other, { amount, who })}
      </span>
      {isOwn ? (
        <TaskButton
          text={t("proposalWithdraw")}
          hidden={{ id: proposal.chargeId, action: proposal.action, amount: String(proposal.amount) }}
          onAct={endProposalAction}
          size="sm"
        />
      ) : (
        <>
          <LinkButton
            href={`${path}?do=${proposal.action}&of=${proposal.amount}`}
            scroll={false}
            size="sm"
            tone="primary"
          >
            {t("proposalConfirm")}
          </LinkButton>
          <TaskButton
            text={t("proposalRefuse")}
            hidden={{ id: proposal.chargeId, action: proposal.action, amount: String(proposal.amount), how: "refused" }}
            onAct={endProposalAction}
            size="sm"
          />
        </>
      )}
    </div>
  );
}
