import { AsyncLocalStorage } from 'node:async_hooks'

/** The author's code that is running for a call. */
export type CallScope = {
  readonly callId: string
  /** Fails the work as if its code had thrown this. */
  readonly fail: (thrown: unknown) => void
}

// One for the process: its handlers of unhandled rejections and exceptions belong to no runtime.
const scopes = new AsyncLocalStorage<CallScope>()

/**
 * Runs the author's code of a call, so that a promise it forgets or a timer it starts can be traced
 * back to the call.
 */
export function inCallScope<T>(scope: CallScope, work: () => T): T {
  return scopes.run(scope, work)
}

/**
 * Runs author's code that decides nothing but its own result, such as a gate. What it leaves behind
 * is reported with the call's id and fails nothing.
 */
export function traceToCall<T>(callId: string, work: () => T): T {
  return scopes.run({ callId, fail: () => undefined }, work)
}

/** Runs author's code that fails with the first error it leaves behind. */
export function failWithStray<T>(callId: string, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, fail) => {
    inCallScope({ callId, fail }, work).then(resolve, fail)
  })
}

/**
 * For the process's handlers of unhandled rejections and uncaught exceptions: fails the call whose
 * code left this error behind, and returns the call's id. Undefined: no call's code did, or it
 * cannot be known, as for the listeners of an emitter that calls share.
 *
 * @example
 * const { failStrayCall } = await import('@surehand/core/host')
 * process.on('unhandledRejection', (reason) => {
 *   if (failStrayCall(reason) === undefined) console.error('Unhandled rejection:', reason)
 * })
 */
export function failStrayCall(thrown: unknown): string | undefined {
  const scope = scopes.getStore()
  scope?.fail(thrown)
  return scope?.callId
}
