"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";

interface ChosenButtonProps {
  form: string;
  /** By how many are chosen; the first is said where none are. */
  texts: { none: string; some: string };
}

/** Sends the form of what is chosen, and says how many that are; without scripts the page answers an empty choice. */
export function ChosenButton({ form, texts }: ChosenButtonProps) {
  const [count, setCount] = useState<number>();
  useEffect(() => {
    const look = () =>
      setCount(
        [...document.querySelectorAll<HTMLInputElement>(`input[form="${form}"][name=ids]:checked`)].filter(
          ({ offsetParent }) => offsetParent !== null,
        ).length,
      );
    look();
    document.addEventListener("change", look);
    return () => document.removeEventListener("change", look);
  }, [form]);
  return (
    <Button type="submit" disabled={count === 0}>
      {count ? texts.some.replace("{count}", String(count)) : texts.none}
    </Button>
  );
}
