type ThreeDS = Record<string, unknown>;

const AUTHENTICATED: readonly unknown[] = ["Y", "A"];

/** Who authenticated a buyer elsewhere proves it with a cryptogram; data alone never moves the liability. */
function canShift({ dataOnly, mpi }: ThreeDS): boolean {
  if (dataOnly === true) return false;
  if (typeof mpi !== "object" || mpi === null) return true;
  const { transStatus, cavv } = mpi as ThreeDS;
  return AUTHENTICATED.includes(transStatus) && typeof cavv === "string" && cavv.length > 0;
}

/** A payment that needs the issuer to carry the risk, and cannot have that (spec/contract.md 8.7). */
export const lacksShift = (asked: ThreeDS | null): boolean =>
  asked !== null && asked.requiresLiabilityShift === true && !canShift(asked);

/** Whether an approval without a challenge counts as authenticated. */
export const isAuthenticated = (asked: ThreeDS): boolean => canShift(asked);
