import { expect, test, vi } from "vitest";
import { runTask, unlessOver } from "@/app/(dashboard)/task";
import { DomainError, notFound } from "@/lib/errors";
import { SamePerson } from "@/lib/operators/second-person";

vi.mock("next-intl/server", () => ({ getTranslations: async () => (key: string) => key }));
vi.mock("@/app/(dashboard)/operator-context", () => ({
  lacksFactor: async () => false,
  senderOf: async () => ({ role: "owner" }),
}));

const told = (thrown: Error) =>
  runTask("payouts.mark", () =>
    unlessOver(async () => {
      throw thrown;
    }),
  );

test("a second person reads what became of a proposal, whoever ended it", async () => {
  expect(await told(new SamePerson())).toEqual({ problem: "samePerson" });
  expect(await told(notFound("proposal"))).toEqual({ problem: "changedMeanwhile" });
  expect(await told(new DomainError("invalid_status_transition", "it is paid"))).toEqual({
    problem: "changedMeanwhile",
  });
  await expect(told(new Error("a bug"))).rejects.toThrow("a bug");
});

test("what is not there at all is a missing page", async () => {
  const work = async () => {
    throw notFound("batch");
  };
  await expect(runTask("payouts.mark", work)).rejects.toThrow("NEXT_HTTP_ERROR_FALLBACK;404");
});

test("credentials that do not fit are told beside their fields", async () => {
  const details = ["credentials.apiKey: is malformed", "credentials.account: is required"];
  const thrown = new DomainError("provider_credentials_invalid", "they do not fit", { details });
  expect(await told(thrown)).toEqual({
    problem: "credentialsInvalid",
    problems: { "credential.apiKey": "credentialForm", "credential.account": "credentialMissing" },
  });
});

test("what is wrong with no single credential marks none, and says so", async () => {
  const unfit = (detail: string) =>
    told(new DomainError("provider_credentials_invalid", "they do not fit", { details: [detail] }));
  expect(await unfit("credentials: the certificate ended on 2026-11-01")).toEqual({ problem: "certificateEnded" });
  expect(await unfit("credentials: must be an object")).toEqual({ problem: "credentialsUnfit" });
});
