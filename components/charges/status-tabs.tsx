import Link from "next/link";
import { classes } from "@/components/ui/classes";

interface StatusTabsProps {
  label: string;
  tabs: readonly { href: string; text: string; isHere: boolean }[];
}

/** Each tab is an address. */
export function StatusTabs({ label, tabs }: StatusTabsProps) {
  return (
    <nav aria-label={label} className="overflow-x-auto border-line border-b">
      <ul className="flex min-w-max gap-1 px-2 sm:px-3">
        {tabs.map(({ href, text, isHere }) => (
          <li key={href}>
            <Link
              href={href}
              scroll={false}
              aria-current={isHere ? "page" : undefined}
              className={classes(
                "-mb-px block whitespace-nowrap border-b-2 px-2.5 py-3 font-medium text-sm -outline-offset-2",
                isHere ? "border-accent text-ink" : "border-transparent text-ink-2 hover:text-ink",
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
