"use client";

import { CircleAlert } from "lucide-react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { isUnreachable } from "@/components/ui/unreachable";
import { useWords } from "@/components/ui/words";

interface ErrorPageProps {
  error: Error & { digest?: string };
  retry: () => void;
}

/** Inside the dashboard's frame: every other page stays one click away. */
export default function ErrorPage({ error, retry }: ErrorPageProps) {
  const words = useWords();
  const isLost = isUnreachable(error);
  const title = isLost ? words.unreachableTitle : words.errorTitle;
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <div role="alert">
        <EmptyState
          icon={CircleAlert}
          title={title}
          action={
            <Button tone="primary" onClick={retry}>
              {words.retry}
            </Button>
          }
        >
          <p>{isLost ? words.unreachableText : words.errorText}</p>
          {error.digest ? (
            <p className="mt-3 text-ink-3">
              {words.errorReference} <span className="font-mono">{error.digest}</span>
            </p>
          ) : null}
        </EmptyState>
      </div>
    </>
  );
}
