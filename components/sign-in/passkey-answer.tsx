"use client";

import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { Fingerprint } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";

interface PasskeyAnswerProps {
  asked: PublicKeyCredentialRequestOptionsJSON;
  text: string;
  isBusy: boolean;
}

/** Asks the browser for the passkey and sends the form it stands in with the answer. */
export function PasskeyAnswer({ asked, text, isBusy }: PasskeyAnswerProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isAsking, setAsking] = useState(false);
  const ask = async () => {
    setAsking(true);
    try {
      const { startAuthentication } = await import("@simplewebauthn/browser");
      const answer = await startAuthentication({ optionsJSON: asked });
      if (field.current) field.current.value = JSON.stringify(answer);
      field.current?.form?.requestSubmit();
    } catch {
      // Put away by the person: the code is still asked for.
    } finally {
      setAsking(false);
    }
  };
  return (
    <>
      <input ref={field} type="hidden" name="passkey" defaultValue="" />
      <Button type="button" tone="primary" size="lg" autoFocus isBusy={isAsking || isBusy} onClick={ask}>
        <Fingerprint aria-hidden />
        {text}
      </Button>
    </>
  );
}
