"use client";

import {
  Copy,
  ExternalLink,
  HandCoins,
  Link2,
  RotateCcw,
  SquareCheck,
  SquareMousePointer,
  SquareX,
} from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { isSingleKey } from "@/components/dashboard/single-keys";
import { useTravel } from "@/components/dashboard/use-travel";
import { Dropdown, DropdownContent, DropdownItem, DropdownTrigger } from "@/components/ui/dropdown";

/** What can be begun from a row; its page asks for the rest. */
export type RowAct = "refund" | "capture";

export interface RowMenuTexts extends Record<RowAct, string> {
  open: string;
  newTab: string;
  copyId: string;
  copyLink: string;
  select: string;
  deselect: string;
}

interface RowMenuProps {
  texts: RowMenuTexts;
  isSelected: (id: string) => boolean;
  /** Selects the row, or no longer. */
  onSelect: (id: string) => void;
}

const ACTS: readonly { act: RowAct; icon: typeof Copy }[] = [
  { act: "capture", icon: HandCoins },
  { act: "refund", icon: RotateCcw },
];

/** What a row allows, as its menu button says. */
export const actsOf = (button: HTMLElement | null | undefined): RowAct[] => {
  const allowed = button?.dataset.acts?.split(" ") ?? [];
  return ACTS.flatMap(({ act }) => (allowed.includes(act) ? [act] : []));
};

interface Opened {
  id: string;
  href: string;
  acts: readonly RowAct[];
  x: number;
  y: number;
  opener: HTMLElement;
}

/** One menu for all rows, where it is asked for: by the button of a row, or by a full stop on the focused one. */
export function RowMenu({ texts, isSelected, onSelect }: RowMenuProps) {
  const travel = useTravel();
  const [opened, setOpened] = useState<Opened>();
  const [isOpen, setIsOpen] = useState(false);
  const returnTo = useRef<HTMLElement>(undefined);
  useEffect(() => {
    const openAt = (button: HTMLElement, opener: HTMLElement) => {
      const link = button.closest("[data-item]")?.querySelector<HTMLAnchorElement>("a[data-row]");
      if (!link) return;
      const { right, bottom } = button.getBoundingClientRect();
      returnTo.current = opener;
      setOpened({ id: link.dataset.row ?? "", href: link.href, acts: actsOf(button), x: right, y: bottom, opener });
      setIsOpen(true);
    };
    const click = ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("[data-row-menu]") : null;
      if (button) openAt(button, button);
    };
    const press = (event: KeyboardEvent) => {
      if (event.key !== "." || !isSingleKey(event)) return;
      const focused = document.activeElement;
      const button = focused?.closest("[data-item]")?.querySelector<HTMLElement>("[data-row-menu]");
      if (!button || !(focused instanceof HTMLElement)) return;
      event.preventDefault();
      openAt(button, focused);
    };
    document.addEventListener("click", click);
    document.addEventListener("keydown", press);
    return () => {
      document.removeEventListener("click", click);
      document.removeEventListener("keydown", press);
    };
  }, []);
  const items = opened
    ? [
        { icon: SquareMousePointer, text: texts.open, act: () => travel.push(opened.href) },
        { icon: ExternalLink, text: texts.newTab, act: () => window.open(opened.href, "_blank", "noopener") },
        { icon: Copy, text: texts.copyId, act: () => navigator.clipboard.writeText(opened.id) },
        { icon: Link2, text: texts.copyLink, act: () => navigator.clipboard.writeText(opened.href) },
        ...ACTS.flatMap(({ act, icon }) =>
          opened.acts.includes(act)
            ? [{ icon, text: texts[act], act: () => travel.push(`${opened.href}?do=${act}`) }]
            : [],
        ),
        isSelected(opened.id)
          ? { icon: SquareX, text: texts.deselect, act: () => onSelect(opened.id) }
          : { icon: SquareCheck, text: texts.select, act: () => onSelect(opened.id) },
      ]
    : [];
  return (
    <Dropdown open={isOpen} onOpenChange={setIsOpen}>
      <DropdownTrigger asChild>
        <span aria-hidden className="pointer-events-none fixed size-0" style={{ left: opened?.x, top: opened?.y }} />
      </DropdownTrigger>
      <DropdownContent
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          returnTo.current?.focus();
        }}
      >
        {items.map(({ icon: Icon, text, act }) => (
          <DropdownItem key={text} onSelect={() => void act()}>
            <Icon aria-hidden />
            {text}
          </DropdownItem>
        ))}
      </DropdownContent>
    </Dropdown>
  );
}
