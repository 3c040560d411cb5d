import { expect, test } from "vitest";
import { likelyEmail } from "@/lib/checkout/likely-email";

test.each([
  ["ana@gmial.com", "ana@gmail.com"],
  ["Ana.Souza@GMIAL.COM ", "Ana.Souza@gmail.com"],
  ["ana@gmail.con", "ana@gmail.com"],
  ["ana@gmail.co", "ana@gmail.com"],
  ["ana@gmai.com", "ana@gmail.com"],
  ["ana@gmail.com.br", "ana@gmail.com"],
  ["ana@hotmial.com", "ana@hotmail.com"],
  ["ana@homail.con", "ana@hotmail.com"],
  ["ana@hotmail.com.nr", "ana@hotmail.com.br"],
  ["ana@yaho.com.br", "ana@yahoo.com.br"],
  ["ana@outlok.com", "ana@outlook.com"],
  ["ana@iclou.com", "ana@icloud.com"],
  ["ana@uol.com.bt", "ana@uol.com.br"],
])("%s was likely to be %s", (typed, meant) => expect(likelyEmail(typed)).toBe(meant));

test.each([
  "",
  "ana",
  "ana@",
  "ana@gmail",
  "ana@gmail.com",
  "ana@hotmail.com.br",
  "ana@example.com",
  "ana@empresa.com.br",
  // Other people's own, however near.
  "ana@ymail.com",
  "ana@mail.com",
  "ana@email.com",
  "ana@aol.com",
  "ana@me.com",
  "ana@gmx.com",
  "ana@bol.com.br",
  "ana@yahoo.ca",
  "ana@live.ca",
  "ana@hotmail.fr",
  "ana@outlook.pt",
  "an•••@gmial.com",
])("of %j nothing is asked", (typed) => expect(likelyEmail(typed)).toBe(""));
