import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classes } from "@/components/ui/classes";
import { Label } from "@/components/ui/label";

/** What a control needs to be tied to its label, hint and error. */
export interface FieldControl {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** Beside the label, for a link; by keyboard it comes after the field. */
  aside?: ReactNode;
  className?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

export function Field({ label, hint, error, aside, className, children }: FieldProps) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  const describedBy = [errorId, hintId].filter(Boolean).join(" ") || undefined;
  return (
    <div className={classes("relative grid content-start gap-1.5", className)}>
      <Label htmlFor={id}>{label}</Label>
      {children({ id, "aria-describedby": describedBy, "aria-invalid": error ? true : undefined })}
      {error ? <FieldProblem id={errorId}>{error}</FieldProblem> : null}
      {hint ? (
        <p id={hintId} className="text-ink-3 text-sm">
          {hint}
        </p>
      ) : null}
      {aside ? (
        <div className="absolute top-0 right-0 leading-5 [&_a]:relative [&_a]:after:absolute pointer-coarse:[&_a]:after:-inset-y-3 [&_a]:after:inset-x-0">
          {aside}
        </div>
      ) : null}
    </div>
  );
}

/** Why a field is refused, beside it. */
export function FieldProblem({ id, children }: { id: string | undefined; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-danger text-sm">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
