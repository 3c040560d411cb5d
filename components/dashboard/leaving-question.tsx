"use client";

import { useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { askWith, type LeavingQuestion as Question } from "@/components/dashboard/unsaved";
import { Button } from "@/components/ui/button";

export interface LeavingTexts {
  typed: string;
  changed: string;
  text: string;
  keep: string;
  discard: string;
}

/** Asked before something half filled in is left, above whatever is open. */
export function LeavingQuestion({ texts }: { texts: LeavingTexts }) {
  const [question, setQuestion] = useState<Question>();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => askWith((asked) => setQuestion((open) => open ?? asked)), []);
  useEffect(() => {
    if (question) dialog.current?.showModal();
  }, [question]);
  if (!question) return null;
  // In the body itself: a menu that is open hides the rest of the page from everybody.
  return createPortal(
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={() => {
        setQuestion(undefined);
        question.onKeep();
      }}
      className="pointer-events-auto fixed inset-0 m-auto h-fit w-[calc(100%-2rem)] max-w-sm animate-fade rounded-xl border border-line bg-raised p-5 text-ink shadow-lg backdrop:bg-shade"
    >
      <h2 id={`${id}-title`} className="font-semibold text-lg">
        {question.isTyped ? texts.typed : texts.changed}
      </h2>
      <p id={`${id}-text`} className="mt-1 text-ink-2 text-sm">
        {texts.text}
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={() => dialog.current?.close()} className="h-11 sm:h-9">
          {texts.keep}
        </Button>
        <Button
          tone="danger"
          onClick={() => {
            setQuestion(undefined);
            question.onDiscard();
          }}
          className="h-11 bg-danger-strong sm:h-9"
        >
          {texts.discard}
        </Button>
      </div>
    </dialog>,
    document.body,
  );
}
