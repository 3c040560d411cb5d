import { cnpjOk, cpfOk, normalizeTaxId } from "@/lib/brazil/cpf-cnpj";

/** Document types by country; the 80 countries are the only values of `country`. */
export const DOCUMENT_TYPES = {
  AL: ["NIPT"],
  AD: ["NRT"],
  AR: ["CBU", "CUIT", "DNI"],
  AT: ["Businessid", "TIN", "UID", "VNR"],
  AU: ["ABN", "ACN", "TFN"],
  BA: ["JMBG"],
  BZ: ["TIN"],
  BE: ["VAT"],
  BG: ["EGN", "PNF", "VAT"],
  BR: ["CPF", "CNPJ"],
  BY: ["UNP"],
  CA: ["BN", "SIN"],
  CU: ["NI"],
  CY: ["VAT"],
  CZ: ["DIC", "RC"],
  CH: ["SSN", "UID", "VAT"],
  CL: ["RUT"],
  CN: ["RIC", "USCC"],
  CO: ["NIT"],
  CR: ["CPF", "CPJ", "CR"],
  DE: ["IDNR", "STNR", "VAT"],
  DK: ["VAT"],
  DO: ["CEDULA", "NCF", "RNC"],
  EC: ["CI", "RUC"],
  EE: ["IK", "KMKR", "Registrikood"],
  SV: ["NIT"],
  GT: ["CUI", "NIT"],
  FI: ["ALV", "HETU", "YTUNNUS"],
  FR: ["NIF", "NIR", "SIREN", "SIRET", "TVA"],
  GB: ["UTR", "VAT"],
  GR: ["AMKA", "VAT"],
  HR: ["OIB"],
  HK: ["HKID"],
  HU: ["ANUM"],
  IS: ["KENNITALA", "VSK"],
  ID: ["NPWP"],
  IE: ["PPS", "VAT"],
  IN: ["AADHAAR", "PAN"],
  IL: ["IDNR", "HR"],
  IT: ["AIC", "CODICEFISCALE", "IVA"],
  LI: ["PEID"],
  LT: ["ASMENS", "PVM"],
  LU: ["TVA"],
  LV: ["PVN"],
  MK: ["JMBG"],
  MC: ["TVA"],
  MD: ["IDNO"],
  MT: ["VAT"],
  MU: ["NID"],
  JP: ["CN"],
  KR: ["BRN", "RRN"],
  MX: ["RFC", "CURP", "CLABE"],
  ME: ["JMBG"],
  MY: ["NRIC"],
  NL: ["BSN", "BTW", "Onderwijsnummer"],
  NZ: ["IRD", "BANK"],
  NO: ["Fodsels", "Konto", "MVA", "Orgnr"],
  PY: ["RUC"],
  PE: ["CUI", "RUC", "CE"],
  PK: ["CNIC", "NTN"],
  PL: ["NIP", "PESEL", "REGON"],
  PT: ["NIF"],
  RU: ["INN"],
  RO: ["CF", "CNP", "CUI", "ONRC"],
  SM: ["COE"],
  RS: ["PIB", "JMBG"],
  SE: ["ORGNR", "PERSONNUMMER", "VAT"],
  SG: ["UEN"],
  TH: ["IDNR"],
  TW: ["UBN"],
  TR: ["TCKIMLIK", "VKN"],
  SI: ["DDV", "JMBG"],
  SK: ["DPH", "RC"],
  ES: ["CIF", "DNI", "NIE", "NIF"],
  UY: ["RUT", "CEDULA", "NIE"],
  UA: ["RNTRC", "EDRPOU"],
  US: ["EIN", "SSN"],
  VE: ["RIF"],
  VN: ["MST"],
  ZA: ["IDNR", "TIN"],
} as const satisfies Record<string, readonly string[]>;

export type Country = keyof typeof DOCUMENT_TYPES;

// Object.keys of this literal gives exactly its keys.
export const COUNTRIES = Object.keys(DOCUMENT_TYPES) as Country[];
export const DEFAULT_COUNTRY: Country = "BR";

export const isCountry = (text: string): text is Country => Object.hasOwn(DOCUMENT_TYPES, text);

/** A document without a number, allowed in every country. */
export const NO_DOCUMENT = "noDocument";

const OTHER_NUMBER = /^[A-Za-z0-9./-]{1,40}$/;

export interface DocumentInput {
  type: string;
  number?: string | null | undefined;
  country?: string | undefined;
}

export interface CheckedDocument {
  /** As it was sent. */
  type: string;
  /** CPF and CNPJ without mask, letters in upper case; null for noDocument. */
  number: string | null;
  country: Country;
}

export type DocumentCheck = { ok: true; document: CheckedDocument } | { ok: false; problems: string[] };

const refused = (...problems: string[]): DocumentCheck => ({ ok: false, problems });

/** The spelling of the table for a type in any letter case; undefined when the country has no such type. */
export function documentType(type: string, country: Country): string | undefined {
  const wanted = type.toLowerCase();
  return [...DOCUMENT_TYPES[country], NO_DOCUMENT].find((known) => known.toLowerCase() === wanted);
}

const BRAZILIAN_CHECKS: Readonly<Record<string, (number: string) => boolean>> = { CPF: cpfOk, CNPJ: cnpjOk };

/** Check digits are verified for CPF and CNPJ only; other documents are held to length and characters. */
export function checkDocument({ type, number, country = DEFAULT_COUNTRY }: DocumentInput): DocumentCheck {
  if (!isCountry(country)) return refused("document.country is not one of the countries accepted");
  const known = documentType(type, country);
  if (known === undefined) return refused(`document.type is not a document of ${country}`);
  const sent = number ?? null;
  if (known === NO_DOCUMENT) {
    return sent === null
      ? { ok: true, document: { type, number: null, country } }
      : refused("document.number is not accepted with noDocument");
  }
  if (sent === null) return refused("document.number is required");
  const digitsOk = country === "BR" ? BRAZILIAN_CHECKS[known] : undefined;
  if (digitsOk) {
    return digitsOk(sent)
      ? { ok: true, document: { type, number: normalizeTaxId(sent), country } }
      : refused(`document.number is not a valid ${known}`);
  }
  return OTHER_NUMBER.test(sent)
    ? { ok: true, document: { type, number: sent, country } }
    : refused("document.number takes 1 to 40 letters, digits, dots, dashes and slashes");
}
