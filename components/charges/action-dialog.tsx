"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState, useTransition } from "react";
import { beginIn } from "@/components/charges/begin-in";
import { TellShown } from "@/components/charges/shown-once";
import { mayBeLost, whenReachable } from "@/components/dashboard/connection";
import { isOtherPage, mayLeave } from "@/components/dashboard/leaving";
import { isUnsavedIn, mayLose } from "@/components/dashboard/unsaved";
import { classes } from "@/components/ui/classes";
import { catchLostFocus } from "@/components/ui/lost-focus";
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
  const [isLeaving, startLeaving] = useTransition();
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    // Whoever began to fill it in before this ran goes on where they are.
    const isWriting = before !== dialog && dialog?.contains(before);
    dialog?.close();
    dialog?.showModal();
    if (isWriting && before instanceof HTMLElement) before.focus();
    else beginIn(dialog, shape === "sheet");
    return () => {
      // Closed before, it gave the focus back then.
      if (dialog?.open && !isWriting && before instanceof HTMLElement) before.focus();
      dialog?.close();
      // The button that opened it may be gone with what was done, and a link from elsewhere had none.
      catchLostFocus();
    };
  }, [shape]);
  // Gone at once, while the page without it is still asked for; back where another address came between.
  useEffect(() => {
    if (isLeaving) ref.current?.close();
    else if (!ref.current?.open) ref.current?.showModal();
  }, [isLeaving]);
  // Closed without its server, it is still in the page: shown again where its address comes back.
  const closedAt = useRef<string>(undefined);
  const address = String(useSearchParams());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is what is looked at
  useEffect(() => {
    if (closedAt.current === undefined || closedAt.current === location.search) return;
    closedAt.current = undefined;
    ref.current?.showModal();
  }, [address]);
  const closeHere = () => {
    ref.current?.close();
    history.replaceState(null, "", closeHref);
    closedAt.current = location.search;
  };
  const leave = () => {
    const to = new URL(closeHref, location.href);
    if (!mayLose(to, leave)) return;
    // The page beneath is there already: nothing has to be asked for.
    if (mayBeLost() && !isOtherPage(to, location.href)) return closeHere();
    if (!mayLeave(closeHref, leave)) return;
    void whenReachable(() => startLeaving(() => router.replace(closeHref, { scroll: false })));
  };
  /** What is shown once is gone with the dialog: no key that is pressed by mistake closes it. */
  const pointAtWayOut = () => ref.current?.querySelector<HTMLElement>("[data-shown-once] [data-kept]")?.focus();
  return (
    <dialog
      ref={ref}
      open
      data-close-href={closeHref}
      aria-labelledby="action-title"
      aria-describedby="action-text"
      onCancel={(event) => {
        // A list of files that was closed without choosing says so too.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (shown !== undefined) pointAtWayOut();
        else if (event.nativeEvent.cancelable || !isUnsavedIn(event.currentTarget)) leave();
      }}
      onClose={({ currentTarget: dialog }) => {
        // By the browser itself, which lets nobody refuse Escape twice in a row.
        if (dialog.open || isLeaving || (shown === undefined && !isUnsavedIn(dialog))) return;
        dialog.showModal();
        if (shown === undefined) leave();
        else pointAtWayOut();
      }}
      className={classes(
        "fixed inset-0 z-50 animate-fade overflow-y-auto border border-line bg-raised p-0 text-ink shadow-lg backdrop:bg-shade",
        SHAPES[shape],
      )}
    >
      <div className="flex items-start justify-between gap-4 px-5 pt-5">
        <h2 id="action-title" className="font-semibold text-ink text-lg">
          {shown ?? title}
        </h2>
        <Link
          href={closeHref}
          replace
          scroll={false}
          aria-label={words.close}
          onNavigate={(event) => {
            event.preventDefault();
            leave();
          }}
          className="-mt-1.5 -mr-2 grid size-9 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink [dialog:has([data-shown-once])_&]:hidden"
        >
          <X aria-hidden className="size-4" />
        </Link>
      </div>
      {/* Of the form: not of the secret that comes instead of it. */}
      <p id="action-text" className="mt-1 px-5 text-ink-2 text-sm [dialog:has([data-shown-once])_&]:hidden">
        {text}
      </p>
      <TellShown value={setShown}>{children}</TellShown>
    </dialog>
  );
}
