import { expect, test } from "vitest";
import { hashPassword, passwordProblem, verifyPassword } from "@/lib/sign-in/password";

const about = { email: "marina.prado@loja.com.br", name: "Marina Prado" };

test.each([
  ["elevenchars", "too_short"],
  ["x".repeat(257), "too_long"],
  ["aaaaaaaaaaaabbbb", "too_simple"],
  ["Password1234!", "leaked"],
  ["senha-2026-nova", undefined],
  ["senhasenha12", "leaked"],
  ["marina-pagamentos", undefined],
  ["marina123456", "personal"],
  ["correct horse battery staple", undefined],
])("%s is %s", (password, problem) => {
  expect(passwordProblem(password, about)).toBe(problem);
});

test("a hash is argon2id, differs each time and verifies its own password alone", async () => {
  const password = "correct horse battery staple";
  const [one, two] = await Promise.all([hashPassword(password), hashPassword(password)]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await verifyPassword(one, password)).toBe(true);
  expect(await verifyPassword(one, `${password}!`)).toBe(false);
});

test("an accent typed in either way is the same password", async () => {
  const composed = "ação-difícil-de-adivinhar".normalize("NFC");
  expect(await verifyPassword(await hashPassword(composed), composed.normalize("NFD"))).toBe(true);
});

test("nobody's password is ever right", async () => {
  expect(await verifyPassword(undefined, "nobody has this password")).toBe(false);
});
