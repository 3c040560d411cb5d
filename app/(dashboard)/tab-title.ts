import type { Metadata } from "next";

/** Several of one kind are open in tabs at once: each says which it is, before what it is. */
export const tabTitle = (subject: string, kind: string): Metadata => ({ title: `${subject} · ${kind}` });
