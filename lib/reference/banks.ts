import LIST from "@/lib/reference/banks.json";

export interface Bank {
  /** COMPE code, three digits. */
  code: string;
  /** The eight first characters of the bank's CNPJ; null for a code that no bank uses any more. */
  ispb: string | null;
  name: string;
}

/** Everyday names of the main banks; codes of the past (356, 453, 652) are not in the Central Bank's list. */
const MAIN_BANKS: readonly (readonly [code: string, name: string])[] = [
  ["001", "Banco do Brasil"],
  ["033", "Santander"],
  ["104", "Caixa"],
  ["237", "Bradesco"],
  ["260", "Nubank"],
  ["341", "Itaú"],
  ["356", "Banco Real"],
  ["389", "Mercantil do Brasil"],
  ["399", "HSBC"],
  ["422", "Safra"],
  ["453", "Rural"],
  ["633", "Rendimento"],
  ["652", "Itaú Unibanco Holding"],
  ["745", "Citibank"],
];

const LISTED = LIST.banks.map(([code = "", ispb = "", name = ""]): Bank => ({ code, ispb, name }));
const ispbByCode = new Map(LISTED.map(({ code, ispb }) => [code, ispb]));

const BY_CODE: ReadonlyMap<string, Bank> = new Map(
  [...LISTED, ...MAIN_BANKS.map(([code, name]): Bank => ({ code, ispb: ispbByCode.get(code) ?? null, name }))].map(
    (bank) => [bank.code, bank],
  ),
);
const BY_ISPB: ReadonlyMap<string, Bank> = new Map(
  [...BY_CODE.values()].flatMap((bank) => (bank.ispb === null ? [] : [[bank.ispb, bank] as const])),
);

/** The day of the Central Bank's list behind this table. */
export const BANKS_AS_OF = LIST.asOf;

/** Every bank with a COMPE code. Other codes of three digits are accepted, only not known. */
export const BANKS: readonly Bank[] = [...BY_CODE.values()].sort((a, b) => (a.code < b.code ? -1 : 1));

export const findBank = (code: string): Bank | undefined => BY_CODE.get(code);
export const findBankByIspb = (ispb: string): Bank | undefined => BY_ISPB.get(ispb.toUpperCase());
