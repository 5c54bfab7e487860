// Loaded by child processes whose start is timed: this file imports nothing.

/** Sends a message to the parent process and resolves when it is on its way. */
export function sendToParent(message: object): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, {}, () => resolve()))
}

export function describeError(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}
