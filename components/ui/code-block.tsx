import type { ReactNode } from "react";
import { classes } from "@/components/ui/classes";
import { CopyButton } from "@/components/ui/copy-button";

interface CodeBlockProps {
  code: string;
  /** Shown in the bar: a file name, or what it does. */
  title: ReactNode;
  copyLabel: string;
  className?: string;
}

/** Always dark, in either theme; the tokens follow the scheme of this element. */
export function CodeBlock({ code, title, copyLabel, className }: CodeBlockProps) {
  return (
    <figure
      className={classes(
        "scheme-dark-only min-w-0 overflow-hidden rounded-lg border border-line bg-sunken text-ink shadow-md",
        className,
      )}
    >
      <figcaption className="flex items-center justify-between gap-3 border-line border-b py-1 pr-1.5 pl-4 text-ink-2 text-sm">
        <span className="truncate">{title}</span>
        <CopyButton text={code} label={copyLabel} size="sm" className="px-2" />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto px-4 py-3.5 font-mono text-[0.8125rem] text-ink leading-6 -outline-offset-2"
      >
        <code>{paint(code)}</code>
      </pre>
    </figure>
  );
}

/** Just enough colour for a shell command with JSON in it. */
const TOKENS =
  /(?<comment>#[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*")|(?<flag>(?<=\s)-{1,2}[A-Za-z][\w-]*)|(?<number>(?<=":\s?)\d+|\btrue\b|\bfalse\b)/g;
const COLOURS: Record<string, string> = {
  comment: "text-ink-3",
  string: "text-accent-ink",
  flag: "text-info",
  number: "text-sandbox",
};

function paint(code: string): ReactNode[] {
  const painted: ReactNode[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKENS)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? "";
    painted.push(code.slice(end, match.index));
    painted.push(
      <span key={match.index} className={COLOURS[kind]}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  painted.push(code.slice(end));
  return painted;
}
