"use client";

import { useEffect, useId, useRef } from "react";
import type { TaskState } from "@/components/tasks/task-form";

/** What would happen, above the button that does it; takes the focus, so that it is read out and seen. */
export function PlanNote({ plan }: { plan: NonNullable<TaskState["plan"]> }) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    box.current?.focus();
  }, []);
  return (
    <div
      ref={box}
      role="status"
      tabIndex={-1}
      aria-labelledby={id}
      className="rounded-md border border-line-strong bg-sunken px-4 py-3 text-ink text-sm"
    >
      <input type="hidden" name="plan" value={plan.key} />
      <h2 id={id} className="font-medium">
        {plan.heading}
      </h2>
      <ul className="mt-1.5 grid list-disc gap-1 pl-5 text-ink-2">
        {plan.lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
