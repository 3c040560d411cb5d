import { expect, it } from "vitest";
import { checkLock, missingBinaries } from "@/scripts/checks/lock";

const lock = (packages: Record<string, object>) => ({ packages: { "": {}, ...packages } });

it("names a binary that the lock file does not list", () => {
  const packages = { "node_modules/next": { optionalDependencies: { "@next/swc-linux-x64-gnu": "16.4.6" } } };
  expect(missingBinaries(lock(packages))).toEqual(["@next/swc-linux-x64-gnu, wanted by node_modules/next"]);
});

it("finds a binary beside its package and in every folder above", () => {
  const wants = { optionalDependencies: { binary: "1.0.0" } };
  for (const place of ["node_modules/a/node_modules/b/", "node_modules/a/", ""]) {
    const packages = { "node_modules/a/node_modules/b": wants, [`${place}node_modules/binary`]: { version: "1.0.0" } };
    expect(missingBinaries(lock(packages))).toEqual([]);
  }
});

it("does not take another package's own binary for it", () => {
  const packages = {
    "node_modules/a": { optionalDependencies: { binary: "1.0.0" } },
    "node_modules/c/node_modules/binary": { version: "2.0.0" },
  };
  expect(missingBinaries(lock(packages))).toHaveLength(1);
});

it("the lock file of this repository lists every platform's binaries", () => {
  expect(checkLock()).toEqual([]);
});
