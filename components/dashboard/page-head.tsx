import type { ReactNode } from "react";

interface PageHeadProps {
  title: ReactNode;
  aside?: ReactNode;
  description?: ReactNode;
  /** Buttons. */
  action?: ReactNode;
}

export function PageHead({ title, aside, description, action }: PageHeadProps) {
  return (
    <header className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
      <h1 className="mr-auto min-w-0 break-words font-semibold text-2xl text-ink">{title}</h1>
      {aside ? <p className="text-ink-3 text-sm tabular-nums">{aside}</p> : null}
      {action ? <div className="flex flex-wrap gap-2 max-sm:order-last max-sm:w-full">{action}</div> : null}
      {description ? (
        <p className="w-full text-ink-2">
          <span className="block max-w-2xl">{description}</span>
        </p>
      ) : null}
    </header>
  );
}
