const MASK = /[.\-/\s]/g;
const CPF = /^\d{11}$/;
// The 12 first characters of a CNPJ may be letters (IN RFB 2.229/2024); its two check digits never are.
const CNPJ = /^[0-9A-Z]{12}\d{2}$/i;
const ONE_CHARACTER = /^(.)\1*$/;

/** A CPF or CNPJ without its mask, letters in upper case; says nothing about its check digits. */
export function normalizeTaxId(text: string): string {
  const bare = text.replace(MASK, "");
  // Upper-casing characters outside ASCII can change their number or turn them into ASCII letters.
  return CNPJ.test(bare) ? bare.toUpperCase() : bare;
}

/** As people type and paste it: whatever stands between the characters, marks that nobody sees among it, is no part of it. */
export const typedTaxId = (text: string): string => normalizeTaxId(text.replace(/[^0-9A-Z]/gi, ""));

function cpfDigit(digits: string): number {
  let total = 0;
  for (let i = 0; i < digits.length; i++) total += Number(digits[i]) * (digits.length + 1 - i);
  return ((total * 10) % 11) % 10;
}

const ZERO_CODE = 48;

/** The value of a character is its ASCII code less 48 (A = 17 … Z = 42); weights 2 to 9 from the right. */
function cnpjDigit(base: string): number {
  let total = 0;
  let weight = 2;
  for (let i = base.length - 1; i >= 0; i--) {
    total += (base.charCodeAt(i) - ZERO_CODE) * weight;
    weight = weight === 9 ? 2 : weight + 1;
  }
  return total % 11 < 2 ? 0 : 11 - (total % 11);
}

/** Whether this is a CPF with right check digits, masked or not. Repeated digits pass the sum and are refused. */
export function cpfOk(text: string): boolean {
  const bare = normalizeTaxId(text);
  if (!CPF.test(bare) || ONE_CHARACTER.test(bare)) return false;
  return [9, 10].every((length) => cpfDigit(bare.slice(0, length)) === Number(bare[length]));
}

/** Whether this is a CNPJ with right check digits, numeric or alphanumeric, masked or not. */
export function cnpjOk(text: string): boolean {
  const bare = normalizeTaxId(text);
  if (!CNPJ.test(bare) || ONE_CHARACTER.test(bare)) return false;
  const base = bare.slice(0, 12);
  const first = cnpjDigit(base);
  return bare.endsWith(`${first}${cnpjDigit(`${base}${first}`)}`);
}

/** `529.982.247-25`, `12.ABC.345/01DE-35`; anything else as it is. */
export function maskTaxId(text: string): string {
  const bare = normalizeTaxId(text);
  if (CPF.test(bare)) return bare.replace(/^(...)(...)(...)(..)$/, "$1.$2.$3-$4");
  if (CNPJ.test(bare)) return bare.replace(/^(..)(...)(...)(....)(..)$/, "$1.$2.$3/$4-$5");
  return text;
}
