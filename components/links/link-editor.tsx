"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { CheckoutPreview, type PreviewChoices, type PreviewTexts } from "@/components/settings/checkout-preview";

interface LinkEditorProps {
  /** What the preview shows before anything is typed, and of what is not in the form. */
  base: Readonly<Record<string, string>>;
  preview: { texts: PreviewTexts; choices: PreviewChoices; initial: { state: string; lang: string } };
  /** The form; its fields are read by their names. */
  children: ReactNode;
}

const SHOWN = ["name", "amount", "installments", "interval", "cycles", "trialDays", "dueDate", "orderId"] as const;

/** A link's form with the page it will be. */
export function LinkEditor({ base, preview, children }: LinkEditorProps) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  const read = (event: FormEvent<HTMLElement>) => {
    const field = event.target;
    const form = field instanceof Element ? field.closest("form") : null;
    if (!form) return;
    const data = new FormData(form);
    const text = (name: string) => String(data.get(name) ?? "");
    setTyped({
      ...Object.fromEntries(SHOWN.flatMap((name) => (data.has(name) ? [[name, text(name)]] : []))),
      ...(data.has("merchantId") ? { merchant: text("merchantId") } : {}),
      ...(form.elements.namedItem("methods") ? { methods: data.getAll("methods").join(",") } : {}),
    });
  };
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,32rem)_minmax(0,1fr)]">
      <div onInput={read}>{children}</div>
      <div className="min-w-0 xl:sticky xl:top-6">
        <CheckoutPreview
          query={{ ...base, ...typed }}
          initial={preview.initial}
          texts={preview.texts}
          choices={preview.choices}
        />
      </div>
    </div>
  );
}
