import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";

const MOST_BYTES = 4 * 1024;

test.each(["components/checkout/islands/shop-site.ts", "components/checkout/embed-bridge.ts"])(
  "%s is within four kilobytes and brings nothing along",
  (entry) => {
    const { outputFiles, metafile } = buildSync({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      format: "esm",
      write: false,
      metafile: true,
    });
    expect(gzipSync(outputFiles[0]?.contents ?? "").byteLength).toBeLessThanOrEqual(MOST_BYTES);
    expect(Object.keys(metafile.inputs)).toEqual([entry]);
  },
);
