import { CircleAlert } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/link-button";
import type { PaymentRow as Slot } from "@/lib/purchases/queries";

type SlotStatus = Slot["status"];

export interface ShownLane {
  id: string;
  title: string;
  amount: string;
  status: { value: SlotStatus; text: string };
  card: string;
  installments: string | undefined;
  decline: string | undefined;
  refunded: string | undefined;
  provider: string | undefined;
  open: { href: string; text: string } | undefined;
  refund: { href: string; text: string } | undefined;
}

const TONES = {
  pending: "neutral",
  processing: "info",
  undetermined: "warning",
  pre_authorized: "warning",
  authorized: "success",
  failed: "danger",
  voided: "neutral",
  canceled: "neutral",
  charged_back: "danger",
} as const satisfies Record<SlotStatus, string>;

/** One lane for each card, side by side where there is room. */
export function Lanes({ label, lanes }: { label: string; lanes: readonly ShownLane[] }) {
  return (
    <ul aria-label={label} className="mt-6 grid gap-4 md:grid-cols-[repeat(auto-fit,minmax(15rem,1fr))]">
      {lanes.map((lane) => (
        <li key={lane.id} className="flex flex-col rounded-lg border border-line bg-surface px-5 py-4 shadow-sm">
          <div className="flex items-center justify-between gap-3">
            <h2 className="text-ink-2 text-sm">{lane.title}</h2>
            <Badge tone={TONES[lane.status.value]}>{lane.status.text}</Badge>
          </div>
          <p className="mt-2 font-semibold text-ink text-xl tabular-nums">{lane.amount}</p>
          <p className="mt-0.5 text-ink-2 text-sm">
            {lane.card}
            {lane.installments ? <span className="text-ink-3"> · {lane.installments}</span> : null}
          </p>
          {lane.provider ? <p className="text-ink-3 text-xs">{lane.provider}</p> : null}
          {lane.decline ? (
            <p className="mt-2 flex items-start gap-1.5 text-danger text-sm">
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              {lane.decline}
            </p>
          ) : null}
          {lane.refunded ? <p className="mt-2 text-ink-2 text-sm tabular-nums">{lane.refunded}</p> : null}
          {lane.open || lane.refund ? (
            <div className="mt-auto flex flex-wrap gap-2 pt-3 max-sm:[&>a]:h-11">
              {lane.open ? (
                <LinkButton href={lane.open.href} size="sm">
                  {lane.open.text}
                </LinkButton>
              ) : null}
              {lane.refund ? (
                <LinkButton href={lane.refund.href} size="sm" prefetch={false}>
                  {lane.refund.text}
                </LinkButton>
              ) : null}
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
