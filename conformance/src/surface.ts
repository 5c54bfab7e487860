import type { Caller, CallRequest, Envelope } from '@surehand/core'
import type { DecisionForm, ResolutionEvidence } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import type { Approval } from '@surehand/core/ports'

/**
 * What a surface is able to carry; a behaviour that needs more than a surface can does not apply to
 * it.
 */
export type Ability =
  /** The input as text that the surface has not parsed itself. */
  | 'json'
  /** Any value of the process, JSON or not. */
  | 'value'
  /** An idempotency key beside the input. */
  | 'key'
  /** The key in a field of the input, written by a program, not by a model. */
  | 'keyField'
  /** The input is written by a model and passed on unchanged. */
  | 'model'
  /** A framework's tool-call id with its run. */
  | 'hostCall'
  /** The caller can leave while the call runs. */
  | 'signal'
  /** The caller says how long it waits. */
  | 'within'
  /** The caller waits for a key that is being worked on. */
  | 'wait'
  /** A person or the host says that a repeat is meant. */
  | 'repeat'

export type SurfaceRequest = Omit<CallRequest, 'input' | 'surface' | 'resumes' | 'onProgress'> & {
  readonly input?: unknown
}

/** The result of an API call: a value, or a refusal with its code. */
export type ApiResult<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly code: string
      readonly message: string
      readonly details: unknown
    }

/**
 * A surface as the behaviours see it. A surface that has no way of its own for some of this (an SDK
 * adapter has no decision page) borrows it: `{ ...inProcessDoor(runtime), name, can, call }`.
 */
export type Surface = {
  readonly name: string
  readonly can: ReadonlySet<Ability>
  readonly call: (request: SurfaceRequest) => Promise<Envelope>
  /** The kept answer; undefined when it looks missing. */
  readonly answer: (caller: Caller, callId: string) => Promise<Envelope | undefined>
  readonly cancel: (caller: Caller, callId: string) => Promise<boolean>
  readonly question: (tenant: string, approvalId: string) => Promise<ApiResult<Approval>>
  readonly decide: (
    decider: Caller,
    approvalId: string,
    form: DecisionForm,
  ) => Promise<ApiResult<Approval>>
  readonly edit: (
    editor: Caller,
    approvalId: string,
    input: unknown,
  ) => Promise<ApiResult<Approval>>
  readonly settleUnknown: (
    decider: Caller,
    callId: string,
    evidence: ResolutionEvidence,
  ) => Promise<ApiResult<void>>
  /** The input schema a model is shown. */
  readonly modelSchema: (toolId: string) => JsonSchema
}
