import Link from "next/link";
import type { ReactNode } from "react";
import { Wordmark } from "@/components/brand/wordmark";
import { LinkButton } from "@/components/ui/link-button";

interface SiteHeaderProps {
  navigationLabel: string;
  links: readonly { href: string; text: string }[];
  action: { href: string; text: string };
  /** Language and appearance. */
  preferences: ReactNode;
}

export function SiteHeader({ navigationLabel, links, action, preferences }: SiteHeaderProps) {
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-canvas/90 backdrop-blur-md">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4 sm:px-8">
        <Link href="/" className="rounded-md sm:mr-4">
          <Wordmark />
        </Link>
        <nav aria-label={navigationLabel} className="hidden items-center gap-1 sm:flex">
          {links.map((link) => (
            <LinkButton key={link.href} href={link.href} tone="quiet" prefetch={false}>
              {link.text}
            </LinkButton>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-0.5">
          {preferences}
          <LinkButton href={action.href} className="ml-1 sm:ml-2">
            {action.text}
          </LinkButton>
        </div>
      </div>
    </header>
  );
}
