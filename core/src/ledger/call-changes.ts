/** Wakes those who wait in this process for a call when this process has changed it. */
export class CallChanges {
  readonly #listeners = new Map<string, Set<() => void>>()

  /** The returned function removes the listener. */
  listen(callId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(callId) ?? new Set()
    this.#listeners.set(callId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(callId)
    }
  }

  announce(callId: string): void {
    for (const listener of this.#listeners.get(callId) ?? []) listener()
  }
}
