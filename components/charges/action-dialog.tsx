"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { classes } from "@/components/ui/classes";
import { useWords } from "@/components/ui/words";

interface ActionDialogProps {
  title: string;
  text: ReactNode;
  /** Where the page is without it. */
  closeHref: string;
  /** A sheet stands at the side: something to read beside the page. */
  shape?: "dialog" | "sheet";
  children: ReactNode;
}

const SHAPES = {
  dialog: "m-auto h-fit max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-md rounded-xl",
  sheet: "my-0 mr-0 ml-auto h-dvh max-h-dvh w-full max-w-xl rounded-l-xl",
};

/** Open in the page as it comes from the server, so that it works without scripts; with them it becomes modal. */
export function ActionDialog({ title, text, closeHref, shape = "dialog", children }: ActionDialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const words = useWords();
  useEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    dialog?.close();
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      open
      aria-labelledby="action-title"
      aria-describedby="action-text"
      onCancel={(event) => {
        event.preventDefault();
        router.replace(closeHref, { scroll: false });
      }}
      className={classes(
        "fixed inset-0 z-50 animate-fade overflow-y-auto border border-line bg-raised p-0 text-ink shadow-lg backdrop:bg-shade",
        SHAPES[shape],
      )}
    >
      <div className="flex items-start justify-between gap-4 px-5 pt-5">
        <h2 id="action-title" className="font-semibold text-ink text-lg">
          {title}
        </h2>
        <Link
          href={closeHref}
          replace
          scroll={false}
          aria-label={words.close}
          className="-mt-1.5 -mr-2 grid size-9 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </Link>
      </div>
      <p id="action-text" className="mt-1 px-5 text-ink-2 text-sm">
        {text}
      </p>
      {children}
    </dialog>
  );
}
