import { nothing } from "@/app/(checkout)/answer";

/**
 * Where a bank's hidden page ends: in a frame of ours, whose script sees that it is here again. What the bank posts says
 * nothing that is not known, so nothing of it is read.
 */
export const POST = (): Response => nothing();
