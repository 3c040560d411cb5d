/** Trying again cannot help: the step, or the run, fails at once. */
export class NonRetriableError extends Error {
  override readonly name = "NonRetriableError";
}

/** Try again, but not before the given time; counts as one of the attempts. */
export class RetryAfterError extends Error {
  override readonly name = "RetryAfterError";
  constructor(
    message: string,
    /** Seconds from now, or the moment itself. */
    readonly retryAfter: number | Date,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Thrown into the handler by a step that has used up its attempts. Uncaught, it ends the run without another try. */
export class StepError extends Error {
  constructor(
    readonly stepId: string,
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(failure.message, options);
    this.name = failure.name;
  }
}

/** An error as it is kept and handed on. */
export interface Failure {
  name: string;
  message: string;
  stack?: string;
}

export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Error) return { name: thrown.name, message: thrown.message, stack: thrown.stack };
  return { name: "Error", message: typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? "unknown") };
}
