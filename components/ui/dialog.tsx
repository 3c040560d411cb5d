"use client";

import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { Button } from "@/components/ui/button";
import { classes } from "@/components/ui/classes";
import { useWords } from "@/components/ui/words";

export const Dialog = Primitive.Root;
export const DialogTrigger = Primitive.Trigger;

interface DialogContentProps {
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  /** A sheet comes from the side and holds navigation on a phone. */
  shape?: "dialog" | "sheet";
  className?: string;
  /** Long and only read: the focus begins in what it holds, where arrows and pages scroll. */
  isRead?: boolean;
}

const SHAPES = {
  dialog:
    "top-1/2 left-1/2 max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 animate-fade rounded-xl",
  sheet: "inset-y-0 left-0 w-[min(20rem,calc(100%-3rem))] animate-slide rounded-r-xl",
};

export function DialogContent({
  title,
  description,
  children,
  footer,
  shape = "dialog",
  className,
  isRead,
}: DialogContentProps) {
  const words = useWords();
  const body = useRef<HTMLDivElement>(null);
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-40 animate-fade bg-shade" />
      <Primitive.Content
        className={classes("fixed z-50 flex flex-col border border-line bg-raised shadow-lg", SHAPES[shape], className)}
        onOpenAutoFocus={(event) => {
          if (!isRead) return;
          event.preventDefault();
          body.current?.focus();
        }}
        {...(description ? {} : { "aria-describedby": undefined })}
      >
        <div className="flex items-start justify-between gap-4 px-5 pt-4 pb-2">
          <div>
            <Primitive.Title className="font-semibold text-ink text-lg">{title}</Primitive.Title>
            {description ? (
              <Primitive.Description className="mt-0.5 text-ink-2 text-sm">{description}</Primitive.Description>
            ) : null}
          </div>
          <Primitive.Close asChild>
            <Button tone="quiet" size="icon" className="-mt-1 -mr-2" aria-label={words.close}>
              <X aria-hidden />
            </Button>
          </Primitive.Close>
        </div>
        <div
          ref={body}
          {...(isRead
            ? { tabIndex: 0, role: "group", "aria-label": typeof title === "string" ? title : undefined }
            : {})}
          className="min-h-0 flex-1 overflow-y-auto px-5 py-2 -outline-offset-2"
        >
          {children}
        </div>
        {footer ? <div className="flex justify-end gap-2 px-5 pt-2 pb-4">{footer}</div> : null}
      </Primitive.Content>
    </Primitive.Portal>
  );
}
