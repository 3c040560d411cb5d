"use client";

import { Toaster as Sonner } from "sonner";
import { useWords } from "@/components/ui/words";

export { toast } from "sonner";

/** Placed by a layout whose pages need it: it weighs 13 KB. A toast repeats what the page already says; nothing important lives only here. */
export function Toaster() {
  const words = useWords();
  return (
    <Sonner
      position="bottom-right"
      containerAriaLabel={words.notifications}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-center gap-3 rounded-lg border border-line bg-raised px-4 py-3 text-ink text-sm shadow-lg",
          icon: "text-accent-ink",
        },
      }}
    />
  );
}
