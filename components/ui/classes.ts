import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** Joins class names; of two that contradict each other the later wins. */
export const classes = (...names: ClassValue[]): string => twMerge(clsx(names));
