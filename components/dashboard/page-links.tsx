import { ChevronLeft, ChevronRight } from "lucide-react";
import { LinkButton } from "@/components/ui/link-button";

interface PageLinksProps {
  label: string;
  previous: { href: string | undefined; text: string };
  next: { href: string | undefined; text: string };
}

export function PageLinks({ label, previous, next }: PageLinksProps) {
  if (!previous.href && !next.href) return null;
  return (
    <nav aria-label={label} className="flex justify-end gap-2">
      {previous.href ? (
        <LinkButton href={previous.href} rel="prev" className="max-sm:h-11">
          <ChevronLeft aria-hidden />
          {previous.text}
        </LinkButton>
      ) : null}
      {next.href ? (
        <LinkButton href={next.href} rel="next" className="max-sm:h-11">
          {next.text}
          <ChevronRight aria-hidden />
        </LinkButton>
      ) : null}
    </nav>
  );
}
