/** Calls a function in this turn, when everything that was started before it waits or has ended. */
export function afterMicrotasks(work: () => void): void {
  queueMicrotask(() => process.nextTick(work))
}
