import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { classes } from "@/components/ui/classes";

export const buttonLook = cva(
  [
    "inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium",
    "transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:opacity-55",
    "[&_svg]:size-4 [&_svg]:shrink-0",
    // Fingers are wider than pointers; on the smallest phones what stands side by side is only higher.
    "pointer-coarse:min-h-11 min-[360px]:pointer-coarse:min-w-11",
  ],
  {
    variants: {
      tone: {
        primary: "bg-accent forced-colors:border text-on-accent shadow-sm hover:bg-accent-strong",
        secondary: "border border-line-strong bg-surface text-ink shadow-sm hover:bg-sunken",
        quiet: "forced-colors:border text-ink-2 hover:bg-sunken hover:text-ink",
        danger: "bg-danger-strong forced-colors:border text-white shadow-sm hover:brightness-95",
      },
      size: {
        sm: "h-8 px-3 text-sm",
        md: "h-9 px-3.5 text-sm",
        lg: "h-11 px-5 text-base",
        icon: "size-9",
      },
    },
    defaultVariants: { tone: "secondary", size: "md" },
  },
);

export type ButtonLook = VariantProps<typeof buttonLook>;

interface ButtonProps extends ComponentProps<"button">, ButtonLook {
  /** Render the only child with this look instead of a button. */
  asChild?: boolean;
  /** Shows that work is under way and takes no second press. */
  isBusy?: boolean;
}

export function Button({ asChild, isBusy, tone, size, className, children, disabled, ...rest }: ButtonProps) {
  const look = classes(buttonLook({ tone, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={look} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button type="button" className={look} disabled={disabled || isBusy} aria-busy={isBusy || undefined} {...rest}>
      {isBusy ? <LoaderCircle aria-hidden className="animate-spin" /> : null}
      {children}
    </button>
  );
}
