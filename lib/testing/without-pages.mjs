import { register } from "node:module";

/**
 * `--import` it before scripts/server.ts: everything of the web process is real but the framework's pages, which need a
 * build. A page that is asked for answers with its path.
 */
const PAGES = `export default () => ({
  prepare: async () => {},
  getRequestHandler: () => async (request, response) => response.end("page " + request.url),
  close: async () => {},
});`;
const HOOKS = `export const resolve = (specifier, context, next) =>
  specifier === "next" ? { url: "data:text/javascript,${encodeURIComponent(PAGES)}", shortCircuit: true } : next(specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
