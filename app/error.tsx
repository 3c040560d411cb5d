"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useWords } from "@/components/ui/words";

interface ErrorPageProps {
  error: Error & { digest?: string };
  /** Asks the server again; a mere reset would show the same failure. */
  retry: () => void;
}

export default function ErrorPage({ error, retry }: ErrorPageProps) {
  const words = useWords();
  return (
    <Notice
      title={words.errorTitle}
      action={
        <Button tone="primary" onClick={retry}>
          {words.retry}
        </Button>
      }
    >
      <p>{words.errorText}</p>
      {error.digest ? (
        <dl className="mt-3 flex gap-2 text-ink-3 text-sm">
          <dt>{words.errorReference}</dt>
          <dd className="font-mono">{error.digest}</dd>
        </dl>
      ) : null}
    </Notice>
  );
}
