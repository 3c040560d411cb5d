const RADIX = 36;
/** As long as every bank behind a Pix or a slip takes an order's number: letters and digits alone. */
const LENGTH = 25;

/** The attempt's id with all of its bits, in fewer signs. */
export const orderNumberOf = (attemptId: string): string =>
  BigInt(`0x${attemptId.replaceAll("-", "")}`)
    .toString(RADIX)
    .padStart(LENGTH, "0");
