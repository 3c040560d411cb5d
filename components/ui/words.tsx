"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Messages } from "@/lib/i18n/messages";

/** What interactive components say by themselves: finished sentences, so that no formatter is sent to the browser. */
export type Words = Messages["ui"];

const Context = createContext<Words | undefined>(undefined);

export function WordsProvider({ words, children }: { words: Words; children: ReactNode }) {
  return <Context value={words}>{children}</Context>;
}

export function useWords(): Words {
  const words = useContext(Context);
  if (!words) throw new Error("WordsProvider is missing above this component");
  return words;
}
