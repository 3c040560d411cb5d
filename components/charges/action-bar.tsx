"use client";

import { Ban, BookCheck, Gavel, HandCoins, PlayCircle, RefreshCw, RotateCcw, Unlock } from "lucide-react";
import { useEffect } from "react";
import { isSingleKey } from "@/components/dashboard/single-keys";
import { useTravel } from "@/components/dashboard/use-travel";
import { LinkButton } from "@/components/ui/link-button";
import type { PaymentAction } from "@/lib/charges/operator-actions";

/** Deciding a review has a form of its own. */
type BarAction = PaymentAction | "resolve";

const ICONS = {
  capture: HandCoins,
  release: Unlock,
  cancel: Ban,
  refund: RotateCcw,
  recheck: RefreshCw,
  hand_back: BookCheck,
  simulate: PlayCircle,
  resolve: Gavel,
} satisfies Record<BarAction, typeof Ban>;

const KEYS: Record<string, PaymentAction> = { c: "capture", r: "refund", u: "recheck" };

interface ActionBarProps {
  label: string;
  actions: readonly { action: BarAction; href: string; text: string; isMain: boolean }[];
}

/** Each action opens its confirmation, which is an address; c, r and u do it by keyboard. */
export function ActionBar({ label, actions }: ActionBarProps) {
  const travel = useTravel();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isSingleKey(event)) return;
      const found = actions.find(({ action }) => action === KEYS[event.key]);
      if (found) travel.push(found.href, { scroll: false });
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [actions, travel]);
  return (
    <nav aria-label={label} className="flex flex-wrap gap-2 max-sm:w-full max-sm:[&>a]:h-11 max-sm:[&>a]:flex-1">
      {actions.map(({ action, href, text, isMain }) => {
        const Icon = ICONS[action];
        return (
          <LinkButton key={action} href={href} scroll={false} prefetch={false} tone={isMain ? "primary" : "secondary"}>
            <Icon aria-hidden />
            {text}
          </LinkButton>
        );
      })}
    </nav>
  );
}
