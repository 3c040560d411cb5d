import { dispatch } from "@/app/api/registry";

/** Hosts that run the framework alone send every /v1 address here, so that unknown paths and methods answer alike. */
const HERE = /^\/api\/dispatch(?=\/|$)/;

function serve(request: Request): Promise<Response> {
  const url = new URL(request.url);
  if (!HERE.test(url.pathname)) return dispatch(request);
  url.pathname = url.pathname.replace(HERE, "/v1");
  return dispatch(new Request(url, request));
}

export { serve as DELETE, serve as GET, serve as HEAD, serve as OPTIONS, serve as PATCH, serve as POST, serve as PUT };
