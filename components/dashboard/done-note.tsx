import { CheckCircle2 } from "lucide-react";
import { Outcome } from "@/components/ui/outcome";

/** What was just done; stands in the page until the next address. */
export function DoneNote({ text }: { text: string }) {
  return (
    <Outcome
      text={text}
      className="mb-5 flex items-center gap-2.5 rounded-md bg-success-soft px-4 py-2.5 font-medium text-sm text-success"
    >
      <CheckCircle2 aria-hidden className="size-4 shrink-0" />
      {text}
    </Outcome>
  );
}
