"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, type ButtonLook } from "@/components/ui/button";
import { useWords } from "@/components/ui/words";

const SHOWN_MS = 2_000;

interface CopyButtonProps extends ButtonLook {
  text: string;
  /** What is copied, for those who hear the page. */
  label: string;
  className?: string;
  /** The label stands beside the icon. */
  isWorded?: boolean;
}

export function CopyButton({ text, label, tone = "quiet", size, className, isWorded }: CopyButtonProps) {
  const words = useWords();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <>
      <Button
        tone={tone}
        size={size ?? (isWorded ? "md" : "icon")}
        className={className}
        {...(isWorded ? {} : { "aria-label": label, title: label })}
        onClick={async () => setIsCopied(await copy(text))}
      >
        {isCopied ? <Check aria-hidden className="text-accent-ink" /> : <Copy aria-hidden />}
        {isWorded ? label : null}
      </Button>
      <span role="status" className="sr-only">
        {isCopied ? words.copied : null}
      </span>
    </>
  );
}

async function copy(text: string): Promise<boolean> {
  // Browsers offer the clipboard only over https and on localhost; elsewhere the old way still works.
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return true;
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  return isDone;
}
