"use client";

import { LogOut } from "lucide-react";
import Link from "next/link";
import { startTransition, useCallback } from "react";
import { mayLeave } from "@/components/dashboard/leaving";
import { useAskedFor } from "@/components/ui/asked-for";
import {
  Dropdown,
  DropdownContent,
  DropdownItem,
  DropdownLabel,
  DropdownSeparator,
  DropdownTrigger,
} from "@/components/ui/dropdown";

interface UserMenuProps {
  name: string;
  email: string;
  role: string | undefined;
  label: string;
  /** The person's own pages. */
  links: readonly { href: string; text: string }[];
  signOutText: string;
  onSignOut: () => Promise<void>;
}

export function UserMenu({ name, email, role, label, links, signOutText, onSignOut }: UserMenuProps) {
  const signOut = useCallback(() => {
    const go = () => startTransition(onSignOut);
    if (mayLeave("/sign-in", go)) go();
  }, [onSignOut]);
  useAskedFor("signOut", signOut);
  return (
    <Dropdown>
      <DropdownTrigger className="ml-1.5 grid size-9 forced-colors:border pointer-coarse:size-11 place-items-center rounded-full bg-accent-soft font-semibold text-accent-ink text-xs ring-1 ring-accent/25 ring-inset hover:ring-accent">
        <span aria-hidden>{initialsOf(name)}</span>
        <span className="sr-only">{label}</span>
      </DropdownTrigger>
      <DropdownContent className="w-60">
        <DropdownLabel className="py-2">
          <span className="block truncate font-medium text-ink text-sm">{name}</span>
          <span className="block truncate">{email}</span>
          {role ? <span className="mt-1 block">{role}</span> : null}
        </DropdownLabel>
        <DropdownSeparator />
        {links.map(({ href, text }) => (
          <DropdownItem key={href} asChild>
            <Link href={href}>{text}</Link>
          </DropdownItem>
        ))}
        <DropdownSeparator />
        <DropdownItem onSelect={signOut}>
          <LogOut aria-hidden />
          {signOutText}
        </DropdownItem>
      </DropdownContent>
    </Dropdown>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word) => word?.[0] ?? "")
    .join("")
    .toUpperCase();
}
