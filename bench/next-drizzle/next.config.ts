import { join } from "node:path";
import type { NextConfig } from "next";

const ROOT = join(import.meta.dirname, "..", "..");

export default {
  distDir: ".next",
  poweredByHeader: false,
  agentRules: false,
  turbopack: { root: ROOT },
  outputFileTracingRoot: ROOT,
  typescript: { ignoreBuildErrors: true },
} satisfies NextConfig;
