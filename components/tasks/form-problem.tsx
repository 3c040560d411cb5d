"use client";

import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";

interface FormProblemProps {
  /** What the form's action answered: each answer takes the focus anew. */
  state: { readonly problem?: string };
}

/** Why a form was not taken, above its fields; takes the focus, so that it is read out and seen. */
export function FormProblem({ state }: FormProblemProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.problem) box.current?.focus();
  }, [state]);
  if (!state.problem) return null;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="flex items-start gap-2 rounded-md bg-danger-soft px-3 py-2.5 text-danger text-sm"
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{state.problem}</span>
    </div>
  );
}
