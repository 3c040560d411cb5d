"use client";

import {
  BadgeCheck,
  BookCheck,
  BookOpen,
  FlaskConical,
  Gavel,
  House,
  KeyRound,
  Link2,
  type LucideIcon,
  ScrollText,
  Settings,
  ShieldQuestion,
  Store,
  UsersRound,
  WalletCards,
  Webhook,
} from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { Fragment } from "react";
import { SECTIONS, type Section } from "@/components/dashboard/sections";
import { classes } from "@/components/ui/classes";

const ICONS: Record<Section, LucideIcon> = {
  home: House,
  payments: WalletCards,
  reviews: ShieldQuestion,
  disputes: Gavel,
  links: Link2,
  customers: UsersRound,
  merchants: Store,
  keys: KeyRound,
  webhooks: Webhook,
  requests: ScrollText,
  sandbox: FlaskConical,
  proof: BadgeCheck,
  audit: BookCheck,
  settings: Settings,
};
const OUTSIDE = [{ href: "/docs", icon: BookOpen, name: "docs" }] as const;

interface NavigationProps {
  label: string;
  texts: Record<Section | "docs" | "groupSetup" | "groupAccount", string>;
  /** Those the person may open. */
  sections: readonly Section[];
}

const GROUP_TEXTS = { setup: "groupSetup", account: "groupAccount" } as const;

const row = "flex h-10 items-center gap-2.5 rounded-md px-2.5 text-sm lg:h-9 [&_svg]:size-4";

export function Navigation({ label, texts, sections }: NavigationProps) {
  const path = usePathname();
  const open = SECTIONS.filter(({ name }) => sections.includes(name));
  const links = (group: (typeof SECTIONS)[number]["group"]) =>
    open
      .filter((section) => section.group === group)
      .map(({ href, name }) => {
        const isHere = path === href || (name !== "home" && path.startsWith(`${href}/`));
        const Icon = ICONS[name];
        return (
          <Link
            key={href}
            href={href}
            aria-current={isHere ? "page" : undefined}
            className={classes(
              row,
              isHere
                ? "bg-surface font-medium text-ink shadow-sm ring-1 ring-line ring-inset [&_svg]:text-accent-ink"
                : "text-ink-2 hover:bg-line/60 hover:text-ink",
            )}
          >
            <Icon aria-hidden />
            {texts[name]}
          </Link>
        );
      });
  return (
    <nav aria-label={label} className="flex flex-1 flex-col gap-0.5 overflow-y-auto">
      {links("money")}
      {(["setup", "account"] as const).map((group) => {
        const inside = links(group);
        return inside.length > 0 ? (
          <Fragment key={group}>
            <p className="mt-4 px-2.5 pb-1 font-medium text-ink-3 text-xs">{texts[GROUP_TEXTS[group]]}</p>
            {inside}
          </Fragment>
        ) : null;
      })}
      <div className="mt-auto border-line border-t pt-2">
        {OUTSIDE.map(({ href, icon: Icon, name }) => (
          <a key={href} href={href} className={classes(row, "text-ink-2 hover:bg-line/60 hover:text-ink")}>
            <Icon aria-hidden />
            {texts[name]}
          </a>
        ))}
      </div>
    </nav>
  );
}
