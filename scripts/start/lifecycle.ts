/** For the processes a launcher starts: says "ready" to it, and ends when it asks, when Ctrl-C does or when it is gone. */
export function announceReady(): void {
  process.send?.({ ready: true });
}

export function onStop(stop: () => Promise<void>): void {
  let isStopping = false;
  const once = () => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, once);
  process.on("disconnect", once);
}
