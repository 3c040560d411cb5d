/** How tall the rows of a list are; kept in the browser of whoever chose. */
export const DENSITIES = ["compact", "comfortable"] as const;
export type Density = (typeof DENSITIES)[number];
export const DENSITY_COOKIE = "trilho-density";

export const densityOf = (text: string | undefined): Density =>
  DENSITIES.find((density) => density === text) ?? "compact";
