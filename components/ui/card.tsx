import type { ComponentProps, ReactNode } from "react";
import { classes } from "@/components/ui/classes";

export function Card({ className, ...rest }: ComponentProps<"section">) {
  return <section className={classes("rounded-lg border border-line bg-surface shadow-sm", className)} {...rest} />;
}

interface CardHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** Cards stand under the page title, so their titles are of the second level unless nested. */
  level?: 2 | 3;
}

export function CardHeader({ title, description, actions, level = 2 }: CardHeaderProps) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-line border-b px-5 py-4">
      <div className="min-w-0">
        <Heading className="font-semibold text-base text-ink">{title}</Heading>
        {description ? <p className="mt-0.5 text-ink-2 text-sm">{description}</p> : null}
      </div>
      {actions ? <div className="flex min-w-0 flex-wrap items-center gap-2">{actions}</div> : null}
    </div>
  );
}

export function CardBody({ className, ...rest }: ComponentProps<"div">) {
  return <div className={classes("px-5 py-4", className)} {...rest} />;
}
