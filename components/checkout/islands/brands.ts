/**
 * Beginnings of card numbers, in the order they are asked: Elo and Hipercard live inside other brands' ranges. Hiper has
 * no name in the API; its buyers know it all the same.
 */
const BRANDS: readonly [name: string, prefix: RegExp][] = [
  [
    "Elo",
    /^(4011(78|79)|438935|451416|457(393|63[12])|504175|506(699|7)|509\d|627780|636(297|368)|650(0(3[1-3]|3[5-9]|4|5[01])|4(0[5-9]|[1-3]|8[5-9]|9)|5([0-2]|3[0-8]|4[1-9]|[5-8]|9[0-8])|7(0|1[0-8]|2[0-7])|9)|6516(5[2-9]|[67])|6550([01]|2[1-9]|[34]|5[0-8]))/,
  ],
  ["HiperCard", /^606282/],
  ["Hiper", /^637(095|568|599|609|612)/],
  ["American Express", /^3[47]/],
  ["Diners", /^3(0[0-5]|[689])/],
  ["Mastercard", /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ["Visa", /^4/],
];

export const brandOfDigits = (digits: string): string => BRANDS.find(([, prefix]) => prefix.test(digits))?.[0] ?? "";

const AMEX = "American Express";
export const cvvDigits = (brand: string): number => (brand === AMEX ? 4 : 3);
export const numberDigits = (brand: string): number => (brand === AMEX ? 15 : brand === "Diners" ? 14 : 16);

/** `4111 1122 2233 3344`; American Express and Diners write theirs in three groups. */
export function groupsOf(digits: string, brand: string): string {
  const cuts = brand === AMEX || brand === "Diners" ? [4, 10] : [4, 8, 12, 16];
  const starts = [0, ...cuts.filter((cut) => cut < digits.length)];
  return starts.map((start, index) => digits.slice(start, starts[index + 1])).join(" ");
}

export function luhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]) * (place % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return digits.length >= 13 && sum % 10 === 0;
}
