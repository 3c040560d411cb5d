import { cva, type VariantProps } from "class-variance-authority";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { classes } from "@/components/ui/classes";

/** Wraps on a phone, where some say a sentence. */
const SHAPE =
  "inline-flex items-center gap-1 whitespace-nowrap rounded-full px-2 py-0.5 font-medium text-xs max-sm:whitespace-normal max-sm:rounded-xl";

const look = cva(SHAPE, {
  variants: {
    tone: {
      neutral: "bg-sunken text-ink-2 ring-1 ring-line ring-inset",
      success: "bg-success-soft text-success",
      warning: "bg-warning-soft text-warning",
      danger: "bg-danger-soft text-danger",
      info: "bg-info-soft text-info",
      sandbox: "bg-sandbox-soft text-sandbox ring-1 ring-sandbox/40 ring-inset",
      live: "bg-accent text-on-accent",
    },
  },
  defaultVariants: { tone: "neutral" },
});

interface BadgeProps extends ComponentProps<"span">, VariantProps<typeof look> {
  icon?: LucideIcon;
}

/** An icon and a word; the colour only repeats them. */
export function Badge({ tone, icon: Icon, className, children, ...rest }: BadgeProps) {
  return (
    <span className={classes(look({ tone }), className)} {...rest}>
      {Icon ? <Icon aria-hidden className="size-3.5 shrink-0" /> : null}
      {children}
    </span>
  );
}
