import { type SQL, sql } from "drizzle-orm";

/** Of the languages that names and links are written in; both cases, whatever locale a database has. */
const ACCENTED = "àáâãäåçèéêëìíîïñòóôõöùúûüýÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ";
const PLAIN = "aaaaaaceeeeiiiinooooouuuuyAAAAAACEEEEIIIINOOOOOUUUUY";
/** The marks of letters that are stored in two parts, as some keyboards write them. */
const MARKS = [0x300, 0x301, 0x302, 0x303, 0x308, 0x30a, 0x327];

const TABLE = new Map([...ACCENTED].map((letter, at) => [letter, PLAIN[at] ?? letter]));
const MARK = new RegExp(`[${String.fromCodePoint(...MARKS)}]`, "g");

/** A text as texts are compared when people search: in small letters, without accents. */
export const folded = (text: string): string =>
  [...text.normalize("NFC")]
    .map((letter) => TABLE.get(letter) ?? letter)
    .join("")
    .replaceAll(MARK, "")
    .toLowerCase();

/** The same of a column, of functions that are immutable, so that an index can keep it. */
export const foldedSql = (text: SQL): SQL => sql`lower(translate(${text}, ${FROM_AND_TO}))`;
const FROM_AND_TO = sql.raw(`'${ACCENTED}'${MARKS.map((mark) => ` || chr(${mark})`).join("")}, '${PLAIN}'`);

/** The end of a phone number is the same with its area and its country and without them. */
export const PHONE_END = 8;
export const phoneDigits = (phone: SQL): SQL => sql`regexp_replace(${phone}, '[^0-9]', '', 'g')`;
export const phoneEnd = (phone: SQL): SQL => sql`right(${phoneDigits(phone)}, ${sql.raw(String(PHONE_END))})`;
