"use client";

import { CircleAlert } from "lucide-react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { useWords } from "@/components/ui/words";

interface ErrorPageProps {
  error: Error & { digest?: string };
  retry: () => void;
}

/** As each browser says that a request never came back. */
const FETCH_FAILED = /fetch|network|load failed/i;

/** Inside the dashboard's frame: every other page stays one click away. */
export default function ErrorPage({ error, retry }: ErrorPageProps) {
  const words = useWords();
  const isUnreachable = error.digest === undefined && error instanceof TypeError && FETCH_FAILED.test(error.message);
  const title = isUnreachable ? words.unreachableTitle : words.errorTitle;
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
          <p>{isUnreachable ? words.unreachableText : words.errorText}</p>
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
