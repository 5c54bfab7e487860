/** Lets everything that is ready to run do so first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
