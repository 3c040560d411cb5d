interface Searched {
  state: "asking" | "answered" | "failed";
  /** Things of the account that are shown, of this text or of the one before. */
  found: number;
  /** Pages and commands that the text means. */
  pages: number;
  isPartial: boolean;
}

export type Foot = "failed" | "stillLooking" | "looking" | "nothing" | "hint";

/** What stands below the list: how the search is going, or what else helps. */
export function footOf({ state, found, pages, isPartial }: Searched): Foot {
  if (state === "failed") return "failed";
  if (state === "asking" && isPartial) return "stillLooking";
  if (state === "asking" && found === 0) return "looking";
  return state === "answered" && found + pages === 0 && !isPartial ? "nothing" : "hint";
}
