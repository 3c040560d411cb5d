import Link from "next/link";
import type { ReactNode } from "react";
import { TabStrip } from "@/components/charges/tab-strip";
import { classes } from "@/components/ui/classes";

interface StatusTabsProps {
  label: string;
  /** Beside the tabs, where there is room. */
  aside?: ReactNode;
  tabs: readonly { href: string; text: string; count?: ReactNode; isHere: boolean }[];
}

/** Each tab is an address. */
export function StatusTabs({ label, tabs, aside }: StatusTabsProps) {
  return (
    <div className="flex items-center border-line border-b">
      <TabStrip label={label} here={tabs.find(({ isHere }) => isHere)?.href}>
        <ul className="flex min-w-max gap-1 px-2 sm:px-3 md:min-w-0 md:flex-wrap md:max-[1440px]:gap-0 md:max-[1440px]:px-2">
          {tabs.map(({ href, text, count, isHere }) => (
            <li key={href}>
              <Link
                href={href}
                scroll={false}
                aria-current={isHere ? "page" : undefined}
                className={classes(
                  "block whitespace-nowrap border-b-2 px-2.5 md:max-[1440px]:px-1.5 forced-colors:border-[Canvas] py-3 font-medium text-sm -outline-offset-2",
                  isHere ? "border-accent text-ink" : "border-transparent text-ink-2 hover:text-ink",
                )}
              >
                {text}
                {count}
              </Link>
            </li>
          ))}
        </ul>
      </TabStrip>
      {aside ? <div className="hidden pr-4 pl-2 md:block">{aside}</div> : null}
    </div>
  );
}
