"use client";

import { Share2 } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";

interface ShareButtonProps {
  subject: string;
  message: string;
  text: string;
}

/** Opens what the device shares with; absent where it has nothing of the kind. */
export function ShareButton({ subject, message, text }: ShareButtonProps) {
  const [isThere, setIsThere] = useState(false);
  useEffect(() => setIsThere(typeof navigator.share === "function"), []);
  if (!isThere) return null;
  return (
    <Button
      tone="primary"
      size="lg"
      className="w-full sm:hidden"
      // Put away by the person: nothing was shared.
      onClick={() => navigator.share({ title: subject, text: message }).catch(() => undefined)}
    >
      <Share2 aria-hidden />
      {text}
    </Button>
  );
}
