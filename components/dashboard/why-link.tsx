import Link from "next/link";
import type { ReactNode } from "react";

interface WhyLinkProps {
  href: string;
  children: ReactNode;
}

/** A figure that opens the rows it is made of; the key `w` follows the first one. */
export function WhyLink({ href, children }: WhyLinkProps) {
  return (
    <Link
      href={href}
      scroll={false}
      prefetch={false}
      data-why
      className="relative rounded-sm underline decoration-dotted decoration-line-strong underline-offset-4 hover:decoration-current"
    >
      {children}
    </Link>
  );
}
