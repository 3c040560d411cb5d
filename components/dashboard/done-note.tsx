import { CheckCircle2, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { classes } from "@/components/ui/classes";
import { Outcome } from "@/components/ui/outcome";

interface DoneNoteProps {
  text: string;
  /** Where to go on. */
  link?: { href: string; text: string } | undefined;
  /** It was done, and something is left to see to. */
  isUnsure?: boolean;
}

/** What was just done; stands in the page until the next address. */
export function DoneNote({ text, link, isUnsure = false }: DoneNoteProps) {
  const Icon = isUnsure ? TriangleAlert : CheckCircle2;
  return (
    <Outcome
      text={text}
      className={classes(
        "mb-5 flex items-center gap-2.5 rounded-md px-4 py-2.5 font-medium text-sm",
        isUnsure ? "bg-warning-soft text-warning" : "bg-success-soft text-success",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {text}
      {link ? (
        <Link href={link.href} className="underline underline-offset-4">
          {link.text}
        </Link>
      ) : null}
    </Outcome>
  );
}
