import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { hasConnection, whenReachable } from "@/components/dashboard/connection";
import { mayLeave } from "@/components/dashboard/leaving";

type Router = ReturnType<typeof useRouter>;

/** The framework's router, for whoever goes somewhere without a link: nothing that would be lost is left unasked. */
export function useTravel(): Pick<Router, "push" | "replace" | "refresh"> {
  const router = useRouter();
  return useMemo(
    () => ({
      push(href, options) {
        if (mayLeave(href)) void whenReachable(() => router.push(href, options));
      },
      replace(href, options) {
        if (mayLeave(href)) void whenReachable(() => router.replace(href, options));
      },
      refresh() {
        if (hasConnection()) void whenReachable(() => router.refresh());
      },
    }),
    [router],
  );
}
