import { createContext } from "react";

/** Tells the dialog around a secret what it shows by now: it takes that name, and closes by the secret's own button alone. */
export const TellShown = createContext<((label: string) => void) | undefined>(undefined);
