import { AsyncLocalStorage } from 'node:async_hooks'

/** The author's code that is running for a call. */
export type CallScope = {
  readonly callId: string
  /** Fails the work as if its code had thrown this. */
  readonly fail: (thrown: unknown) => void
}

// One for the process: its handlers of unhandled rejections and exceptions belong to no runtime.
const scopes = new AsyncLocalStorage<CallScope>()

/** Whether the program has handlers for what calls leave behind; without them, tracing is waste. */
type Tracing = { readonly tracesStrayErrors: boolean }

/**
 * Runs the author's code of a call, so that a promise it forgets or a timer it starts can be traced
 * back to the call.
 */
export function inCallScope<T>({ tracesStrayErrors }: Tracing, scope: CallScope, work: () => T): T {
  return tracesStrayErrors ? scopes.run(scope, work) : work()
}

/**
 * Runs author's code that decides nothing but its own result, such as a gate. What it leaves behind
 * is reported with the call's id and fails nothing.
 */
export function traceToCall<T>(tracing: Tracing, callId: string, work: () => T): T {
  return inCallScope(tracing, { callId, fail: () => undefined }, work)
}

/** Runs author's code that fails with the first error it leaves behind. */
export function failWithStray<T>(
  tracing: Tracing,
  callId: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing.tracesStrayErrors) return work()
  return new Promise((resolve, fail) => {
    inCallScope(tracing, { callId, fail }, work).then(resolve, fail)
  })
}

/**
 * For the process's handlers of unhandled rejections and uncaught exceptions: fails the call whose
 * code left this error behind, and returns the call's id. Undefined: no call's code did, or it
 * cannot be known, as for the listeners of an emitter that calls share. The runtime needs the option
 * `strayErrors: 'trace'`.
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
