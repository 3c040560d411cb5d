import { type Supervised, supervise } from "@/scripts/start/children";

/** As the launcher starts the web processes of one port, without what it does before. */
const count = Number(process.env.WEB_PROCESSES);
const children: Supervised[] = Array.from({ length: count }, (_, index) =>
  supervise(
    { name: `web ${index + 1}`, script: process.argv[2] ?? "", environment: { ...process.env }, isShared: true },
    (reason) => {
      throw reason;
    },
  ),
);
process.on("SIGTERM", () => {
  void Promise.all(children.map((child) => child.stop("SIGTERM"))).then(() => process.exit(0));
});
