import Link from "next/link";
import { classes } from "@/components/ui/classes";

interface SegmentsProps {
  label: string;
  segments: readonly { href: string; text: string; isHere: boolean }[];
}

/** One of a few: each is an address. */
export function Segments({ label, segments }: SegmentsProps) {
  return (
    <nav aria-label={label} className="max-sm:w-full">
      <ul className="flex max-sm:grid max-sm:grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))] rounded-md border border-line-strong bg-surface p-0.5 shadow-sm">
        {segments.map(({ href, text, isHere }) => (
          <li key={href}>
            <Link
              href={href}
              scroll={false}
              aria-current={isHere ? "page" : undefined}
              className={classes(
                "flex h-8 pointer-coarse:min-h-11 items-center justify-center whitespace-nowrap rounded-sm px-3 font-medium text-sm max-sm:h-10",
                isHere ? "bg-accent-soft text-accent-ink" : "text-ink-2 hover:text-ink",
              )}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
