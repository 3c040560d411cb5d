import { expect, test } from "vitest";
import { keysCommand } from "@/components/onboarding/commands";
import { demoFile, demoFileExpression } from "@/lib/demo-file";

test.each([
  ["/srv/trilho/.data", ".data/demo.json", 'require("./.data/demo.json")'],
  ["/srv/trilho/state/one", "state/one/demo.json", 'require("./state/one/demo.json")'],
  ["/var/lib/trilho", "$TRILHO_DATA_DIR/demo.json", 'require(process.env.TRILHO_DATA_DIR + "/demo.json")'],
])("with the data in %s the keys are read from %s", (dataDir, file, read) => {
  expect(demoFile(dataDir, "/srv/trilho")).toBe(file);
  expect(keysCommand(demoFileExpression(dataDir, "/srv/trilho"))).toContain(`d = ${read};`);
});
