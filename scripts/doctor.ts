import { embeddedUrls } from "@/db/embedded";
import { type Env, type EnvSource, parseEnv, withSecrets } from "@/lib/env";
import { findBrowser, findFirefox } from "@/scripts/checks/browser";
import {
  checkDatabase,
  checkMachine,
  checkOrigins,
  checkPaymentPage,
  checkServices,
  checkSettings,
  type Finding,
} from "@/scripts/checks/checks";
import { checkEngineKeys, checkEngineLink } from "@/scripts/checks/engine";
import { checkLogin, checkSchema } from "@/scripts/checks/login";
import { checkProcesses, checkWork } from "@/scripts/checks/running";
import { examineMissing, examineSecrets } from "@/scripts/checks/secrets";
import { type Addresses, addressesOf, givenAddresses } from "@/scripts/start/addresses";
import { runningIn } from "@/scripts/start/instance";
import { say } from "@/scripts/start/progress";
import { provideSecrets } from "@/scripts/start/secrets";
import { clusterIn, EMBEDDED_DATABASE, enterRoot } from "@/scripts/start/with-database";

const DATABASE_DOWN =
  "Trilho runs and its PostgreSQL does not: it is started again within 30 s; if not, its messages and postgres.log in TRILHO_DATA_DIR say why";

/** Says in one line each what is wrong with this installation and how to mend it; changes nothing. */
async function examine(): Promise<Finding[]> {
  const dataDir = enterRoot();
  const given = withSecrets(process.env);
  const parsed = parseEnv(provideSecrets(dataDir).source);
  const findings: Finding[] = checkMachine(dataDir);
  if (!parsed.ok) return [...findings, ...parsed.problems.map((line): Finding => ({ kind: "problem", line }))];
  const running = embeddedUrls(clusterIn(dataDir), EMBEDDED_DATABASE);
  const addresses = givenAddresses(parsed.value) ?? (running && addressesOf(running));
  findings.push(...examineMissing(given, clusterIn(dataDir), addresses !== undefined));
  const trilho = runningIn(dataDir);
  if (trilho !== undefined) findings.push(...(await checkProcesses(trilho, parsed.value)));
  if (addresses !== undefined) findings.push(...(await examineDatabase(addresses, parsed.value, given)));
  else if (trilho === undefined) say("  · the embedded database does not run now, so it was not examined");
  else findings.push({ kind: "problem", line: DATABASE_DOWN });
  findings.push(...checkSettings(parsed.value, process.env), ...(await checkServices(parsed.value)));
  findings.push(...(await checkEngineKeys(parsed.value)));
  if (findBrowser() === undefined) {
    findings.push({
      kind: "warning",
      line: "No Chromium is installed: npm test will look for one; set CHROMIUM_PATH to name it",
    });
  }
  if (findFirefox() === undefined) {
    findings.push({
      kind: "warning",
      line: "No Firefox is installed: npm test will look for one, or leave out its journeys and say so; set FIREFOX_PATH to name it",
    });
  }
  return findings;
}

async function examineDatabase({ url, ownerUrl }: Addresses, settings: Env, given: EnvSource): Promise<Finding[]> {
  const findings = await checkDatabase(ownerUrl);
  if (findings.some(({ kind }) => kind === "problem")) return findings;
  return [
    ...findings,
    ...(await checkLogin(url, ownerUrl)),
    ...(await checkSchema(ownerUrl)),
    ...(await examineSecrets(ownerUrl, given)),
    ...(await checkOrigins(ownerUrl, settings)),
    ...(await checkPaymentPage(ownerUrl)),
    ...(await checkEngineLink(ownerUrl)),
    ...(await checkWork(ownerUrl)),
  ];
}

const findings = await examine();
for (const { kind, line } of findings) say(`  ${kind === "problem" ? "✗" : "!"} ${line}`);
if (findings.length === 0) say("  ✓ nothing is wrong");
process.exit(findings.some(({ kind }) => kind === "problem") ? 1 : 0);
