"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import en from "@/lib/i18n/messages/en/ui.json";
import pt from "@/lib/i18n/messages/pt-BR/ui.json";
import "@/app/globals.css";

/** The layout itself failed, and the language with it: both are shown. */
export default function GlobalError({ reset }: { error: Error; reset: () => void }) {
  return (
    <html lang="pt-BR">
      <body className="bg-canvas font-sans text-ink">
        <title>{pt.errorTitle}</title>
        <Notice
          title={pt.errorTitle}
          action={
            <Button tone="primary" onClick={reset}>
              {pt.retry}
            </Button>
          }
        >
          <p>{pt.errorText}</p>
          <p lang="en" className="mt-4 text-base text-ink-3">
            {en.errorTitle}. {en.errorText}
          </p>
        </Notice>
      </body>
    </html>
  );
}
