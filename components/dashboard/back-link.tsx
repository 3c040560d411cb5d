import { ArrowLeft } from "lucide-react";
import Link from "next/link";

export function BackLink({ href, text }: { href: string; text: string }) {
  return (
    <Link
      href={href}
      className="-ml-1 mb-3 inline-flex min-h-6 pointer-coarse:min-h-11 items-center gap-1.5 rounded-sm px-1 text-ink-2 text-sm hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {text}
    </Link>
  );
}
