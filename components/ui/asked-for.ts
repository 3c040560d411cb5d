import { useEffect } from "react";

/** What the frame around the pages has that can be asked for from elsewhere, such as the search box. */
export type FrameControl = "theme" | "language" | "signOut";

const eventOf = (control: FrameControl): string => `trilho:asked:${control}`;

export const askFor = (control: FrameControl): boolean => window.dispatchEvent(new Event(eventOf(control)));

export function useAskedFor(control: FrameControl, onAsked: () => void): void {
  useEffect(() => {
    const name = eventOf(control);
    window.addEventListener(name, onAsked);
    return () => window.removeEventListener(name, onAsked);
  }, [control, onAsked]);
}
