/** Long-term supported, and tested to start, pay and stop on. The image is made of the first. */
export const TESTED_NODES = [24, 26] as const;
export const IMAGE_NODE = TESTED_NODES[0];

/** The day on which the fixes of a version end, as its release schedule says; a newer version is unknown here. */
export const NODE_ENDS: Readonly<Record<number, string>> = {
  20: "2026-04-30",
  21: "2024-06-01",
  22: "2027-04-30",
  23: "2025-06-01",
  24: "2028-04-30",
  25: "2026-06-01",
  26: "2029-04-30",
};
