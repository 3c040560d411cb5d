import { expect, test, vi } from "vitest";
import { ownCookie } from "@/app/(auth)/cookies";
import { requireSignedIn } from "@/app/(auth)/signed-in";

const request = vi.hoisted(() => ({ cookie: undefined as string | undefined }));

vi.mock("@/app/(auth)/auth", () => ({ auth: async () => null }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({ get: (name: string) => (name === request.cookie ? { name, value: "old" } : undefined) }),
}));

const sentTo = async (): Promise<string> => {
  const thrown: unknown = await requireSignedIn("/dashboard/links").catch((error: unknown) => error);
  return thrown instanceof Error && "digest" in thrown ? (String(thrown.digest).split(";")[2] ?? "") : "";
};

test("somebody whose session ended by itself is told so, and a stranger is not", async () => {
  expect(await sentTo()).toBe("/sign-in?return=%2Fdashboard%2Flinks");
  request.cookie = ownCookie("session").name;
  expect(await sentTo()).toBe("/sign-in?ended=1&return=%2Fdashboard%2Flinks");
});
