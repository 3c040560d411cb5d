import type { ReactNode } from "react";

interface MailboxFrameProps {
  heading: string;
  lead: string;
  children: ReactNode;
}

export function MailboxFrame({ heading, lead, children }: MailboxFrameProps) {
  return (
    <main className="mx-auto w-full max-w-6xl px-5 py-10 sm:px-8">
      <h1 className="break-words font-semibold text-2xl text-ink">{heading}</h1>
      <p className="mt-2 mb-6 max-w-2xl break-words text-ink-2">{lead}</p>
      {children}
    </main>
  );
}
