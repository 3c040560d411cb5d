import { CircleAlert } from "lucide-react";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";

interface PanelProblemProps {
  text: string;
  retry: string;
  href: string;
}

export function PanelProblem({ text, retry, href }: PanelProblemProps) {
  return (
    <Card className="flex flex-wrap items-center gap-3 px-5 py-4 text-sm">
      <CircleAlert aria-hidden className="size-4 text-danger" />
      <p className="flex-1 text-ink-2">{text}</p>
      <LinkButton href={href} size="sm">
        {retry}
      </LinkButton>
    </Card>
  );
}
