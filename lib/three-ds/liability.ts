type ThreeDS = Record<string, unknown>;

const AUTHENTICATED: readonly unknown[] = ["Y", "A"];
/** Full, or attempted, at Visa and at Mastercard; every other value leaves the risk with the shop (spec/routing.md 2). */
const SHIFTING: readonly unknown[] = ["05", "02", "06", "01"];

/** Who authenticated a buyer elsewhere proves it with a cryptogram; data alone never moves the liability. */
function canShift({ dataOnly, mpi }: ThreeDS): boolean {
  if (dataOnly === true) return false;
  if (typeof mpi !== "object" || mpi === null) return true;
  const { transStatus, cavv, eci } = mpi as ThreeDS;
  if (eci !== undefined && !SHIFTING.includes(eci)) return false;
  return AUTHENTICATED.includes(transStatus) && typeof cavv === "string" && cavv.length > 0;
}

/** A payment that needs the issuer to carry the risk, and cannot have that (spec/contract.md 8.7). */
export const lacksShift = (asked: ThreeDS | null): boolean =>
  asked !== null && asked.requiresLiabilityShift === true && !canShift(asked);

/** Approved without the shift that the payment needs: what the provider told, where it tells. */
export const wasDeniedShift = (asked: ThreeDS | null, told: boolean | undefined): boolean =>
  asked?.requiresLiabilityShift === true && told === false;

/** Whether an approval without a challenge counts as authenticated. */
export const isAuthenticated = (asked: ThreeDS): boolean => canShift(asked);
