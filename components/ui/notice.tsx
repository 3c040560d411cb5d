import type { ReactNode } from "react";
import { Mark } from "@/components/brand/mark";

interface NoticeProps {
  title: ReactNode;
  children: ReactNode;
  action: ReactNode;
}

/** A whole page that says one thing. */
export function Notice({ title, children, action }: NoticeProps) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center px-6 py-16">
      <Mark className="size-10 text-accent" />
      <h1 className="mt-6 font-semibold text-3xl text-ink">{title}</h1>
      <div className="mt-3 text-ink-2 text-lg">{children}</div>
      <div className="mt-8 flex gap-3">{action}</div>
    </main>
  );
}
