import type { Call } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import type { Progress } from '../call/request.ts'
import type { Scope } from '../define/data-scope.ts'
import type { Execution } from '../define/tool.ts'
import { accessOf } from '../permissions/access.ts'
import type { Attempt } from './attempt.ts'
import type { PipelineContext } from './parts.ts'
import { tellProgress } from './scrub.ts'

/** What `execute` is given: plain fields, but a signal that is made only when it is asked for. */
export class CallExecution implements Execution<unknown, never> {
  readonly input: unknown
  readonly ports: never
  readonly caller: Caller
  readonly callId: string
  readonly idempotencyKey: string
  readonly now: () => number
  private readonly attempt: Attempt
  private readonly call: Call
  private readonly parts: PipelineContext

  constructor(
    call: Call,
    parts: PipelineContext,
    attempt: Attempt,
    given: { readonly ports: object; readonly idempotencyKey: string },
  ) {
    this.input = call.input
    // erased: these are the providers of exactly the ports this tool named
    this.ports = given.ports as never
    this.caller = call.caller
    this.callId = call.id
    this.idempotencyKey = given.idempotencyKey
    this.now = parts.clock.now
    this.attempt = attempt
    this.call = call
    this.parts = parts
  }

  get signal(): AbortSignal {
    return this.attempt.signal
  }

  get scopeOf(): (capability: string) => Scope {
    return accessOf(this.call, this.parts.scheme).scopeOf
  }

  get holds(): (capability: string) => boolean {
    return accessOf(this.call, this.parts.scheme).holds
  }

  get newId(): (prefix: string) => string {
    return (prefix) => this.parts.entropy.newId(prefix, this.parts.clock.now())
  }

  get report(): (progress: Progress) => void {
    return (progress) => {
      if (!this.attempt.ended) tellProgress(progress, this.call)
    }
  }
}
