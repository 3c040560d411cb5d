import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { variables } from "@/lib/env";
import { commandOf, copyOf, parseDockerfile, variablesOf } from "@/scripts/image/dockerfile";
import { PROGRAMS } from "@/scripts/start/bundle";
import { inRoot } from "@/scripts/start/paths";

const read = (...path: string[]) => readFileSync(inRoot(...path), "utf8");
const stages = parseDockerfile(read("Dockerfile"));
const image = stages.at(-1);
if (!image) throw new Error("the Dockerfile has no stage");

/** Read by Node, Next and the launcher's own handover; everything else is in lib/env. */
const BESIDE_OURS = ["NEXT_TELEMETRY_DISABLED", "TRILHO_DIST"];
const OURS = new Set([...Object.keys(variables), ...BESIDE_OURS]);

type Tree = { [name: string]: unknown };
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);
const tree = (value: unknown): Tree => (isTree(value) ? value : {});
const list = (value: unknown): Tree[] => (Array.isArray(value) ? value.map(tree) : []);

function documents(...path: string[]): Tree[] {
  return parseAllDocuments(read(...path), { merge: true }).map((document) => {
    expect(document.errors).toEqual([]);
    return tree(document.toJS());
  });
}

const KUBERNETES = join("deploy", "kubernetes");
const manifests = readdirSync(inRoot(KUBERNETES)).flatMap((file) => documents(KUBERNETES, file));
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const compose = tree(documents("deploy", "compose.yaml")[0]?.services);
const ours = Object.entries(compose).filter(([, service]) => "build" in tree(service));
const pod = (workload: Tree) => tree(tree(tree(workload.spec).template).spec);
const workloads = [...ofKind("Deployment"), ...ofKind("Job")];
const containers = workloads.flatMap((workload) => list(pod(workload).containers));

test("every source of a COPY is there and reaches the builder", () => {
  const reaches = new Set(
    read(".dockerignore")
      .split("\n")
      .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : [])),
  );
  for (const { instructions } of stages) {
    for (const { from, sources } of instructions.filter(({ name }) => name === "COPY").map(copyOf)) {
      if (from !== undefined) {
        expect(stages.map(({ name }) => name)).toContain(from);
        continue;
      }
      for (const source of sources) {
        expect(existsSync(inRoot(source)), source).toBe(true);
        expect(reaches, source).toContain(source.split("/")[0]);
      }
    }
  }
});

test("the image runs as another user than root, asks /livez without curl and starts a bundled program with node", () => {
  const names = image.instructions.map(({ name, text }) => `${name} ${text}`);
  expect(names).toContain("USER node");
  expect(commandOf(image, "HEALTHCHECK").join(" ")).toContain("/livez");
  for (const command of [commandOf(image, "CMD"), commandOf(image, "HEALTHCHECK")]) expect(command[0]).toBe("node");
  expect(commandOf(image, "CMD").at(-1)).toBe(`${variablesOf(image).TRILHO_DIST}/${PROGRAMS.web}.mjs`);
});

test("every variable the deploy files set is one that is read", () => {
  const set = [
    ...Object.keys(variablesOf(image)),
    ...ours.flatMap(([, service]) => Object.keys(tree(tree(service).environment))),
    ...ofKind("ConfigMap").flatMap(({ data }) => Object.keys(tree(data))),
    ...ofKind("Secret").flatMap(({ stringData }) => Object.keys(tree(stringData))),
    ...containers.flatMap(({ env }) => list(env).map(({ name }) => String(name))),
    ...[...read("deploy", "trilho.service").matchAll(/(?<=^Environment=.*)\b([A-Z_]+)=/gm)].map(([, name]) => name),
  ];
  expect(set.filter((name) => name === undefined || !OURS.has(name))).toEqual([]);
  expect(set.length).toBeGreaterThan(30);
});

test("the settings of compose come from one file, whose example names each and holds none", () => {
  const used = new Set([...read("deploy", "compose.yaml").matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name));
  used.delete("TRILHO_VERSION");
  const lines = read("deploy", ".env.example")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  expect(new Set(lines.map((line) => line.slice(0, line.indexOf("="))))).toEqual(used);
  expect(lines.filter((line) => !line.endsWith("="))).toEqual([]);
});

test("no file holds a secret, and only the migration knows the owner", () => {
  for (const secret of ofKind("Secret"))
    expect(Object.values(tree(secret.stringData)).every((value) => value === "")).toBe(true);
  for (const [name, service] of ours) {
    const given = tree(tree(service).environment);
    expect("DATABASE_OWNER_URL" in given, name).toBe(name === "migrate");
    for (const secret of ["TRILHO_KEK", "TRILHO_SECRET", "AUTH_SECRET"])
      expect(given[secret], name).toBe(name === "migrate" ? undefined : `\${${secret}:?}`);
  }
  for (const workload of workloads)
    expect(JSON.stringify(workload).includes("DATABASE_OWNER_URL"), String(tree(workload.metadata).name)).toBe(
      workload.kind === "Job",
    );
});

test("every command starts a bundled program with node", () => {
  const commands = [...ours.map(([, service]) => tree(service).command), ...containers.map(({ command }) => command)];
  const bundles = Object.values(PROGRAMS).map((name) => `.next/current/${name}.mjs`);
  for (const command of commands.filter((given) => given !== undefined)) {
    expect(Array.isArray(command) && command[0]).toBe("node");
    expect(bundles).toContain(Array.isArray(command) && command.at(-1));
  }
  expect(read("deploy", "trilho.service")).toMatch(/^ExecStart=\/usr\/bin\/node --import tsx scripts\/run\.ts start$/m);
});

test("everything is given 60 seconds to stop and may not write beside its folders", () => {
  for (const [name, given] of ours) {
    const service = tree(given);
    expect([service.stop_grace_period, service.read_only], name).toEqual(["60s", true]);
  }
  for (const workload of workloads) {
    expect(pod(workload).terminationGracePeriodSeconds).toBe(60);
    expect(tree(pod(workload).securityContext).runAsNonRoot).toBe(true);
  }
  for (const { securityContext } of containers) expect(tree(securityContext).readOnlyRootFilesystem).toBe(true);
  expect(read("deploy", "trilho.service")).toMatch(/^TimeoutStopSec=60$/m);
});

test("two of each role run, one of them stays, and probes ask the port that is served", () => {
  const port = Number(variablesOf(image).PORT);
  expect(read("scripts", "server", "health.ts")).toContain("(livez|readyz|");
  for (const deployment of ofKind("Deployment")) {
    const name = tree(deployment.metadata).name;
    for (const kind of ["PodDisruptionBudget", "HorizontalPodAutoscaler", "Service"])
      expect(ofKind(kind).map(({ metadata }) => tree(metadata).name)).toContain(name);
    for (const container of list(pod(deployment).containers)) {
      expect(list(container.ports).map(({ containerPort }) => containerPort)).toEqual([port]);
      const asked = (probe: string) => tree(tree(container[probe]).httpGet);
      expect(asked("livenessProbe")).toEqual({ path: "/livez", port: "http" });
      expect(asked("readinessProbe")).toEqual({ path: "/readyz", port: "http" });
    }
  }
  for (const scaler of ofKind("HorizontalPodAutoscaler")) expect(tree(scaler.spec).minReplicas).toBe(2);
  expect(tree(tree(compose.worker).deploy).replicas).toBe(2);
  expect(Object.keys(compose)).toEqual(
    expect.arrayContaining(["postgres", "migrate", "web-a", "web-b", "worker", "inngest", "caddy"]),
  );
  for (const upstream of ["web-a", "web-b"]) expect(read("deploy", "Caddyfile")).toContain(`${upstream}:${port}`);
});
