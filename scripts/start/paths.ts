import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "..", "..");
export const inRoot = (...parts: string[]): string => join(ROOT, ...parts);
