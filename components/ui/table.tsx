import type { ComponentProps, ReactNode } from "react";
import { classes } from "@/components/ui/classes";

interface TableProps extends ComponentProps<"table"> {
  /** Says what the table lists; read aloud, not shown. */
  caption: ReactNode;
}

/** Scrolls by itself on a narrow screen, also by keyboard. */
export function Table({ caption, className, children, ...rest }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <div className="relative w-full overflow-x-auto print:overflow-visible" tabIndex={0}>
      <table className={classes("w-full border-collapse text-left text-sm", className)} {...rest}>
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  );
}

export function TableHead({ className, ...rest }: ComponentProps<"thead">) {
  return <thead className={classes("border-line border-b bg-sunken text-ink-2", className)} {...rest} />;
}

export function TableBody({ className, ...rest }: ComponentProps<"tbody">) {
  return <tbody className={classes("divide-y divide-line", className)} {...rest} />;
}

export function TableRow({ className, ...rest }: ComponentProps<"tr">) {
  return <tr className={classes("transition-colors [tbody_&]:hover:bg-sunken/60", className)} {...rest} />;
}

interface CellProps {
  /** Figures stand at the right, digits under digits. */
  isNumeric?: boolean;
}

const numeric = "text-right tabular-nums";

export function TableHeader({ isNumeric, className, ...rest }: ComponentProps<"th"> & CellProps) {
  return (
    <th
      scope="col"
      className={classes("whitespace-nowrap px-4 py-2.5 font-medium text-xs", isNumeric && numeric, className)}
      {...rest}
    />
  );
}

export function TableCell({ isNumeric, className, ...rest }: ComponentProps<"td"> & CellProps) {
  return <td className={classes("px-4 py-3 align-middle text-ink", isNumeric && numeric, className)} {...rest} />;
}
