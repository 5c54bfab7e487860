import type { JsonSchema } from '@surehand/core/internal'
import type { DialectName } from '../schema/dialect.ts'

export type ProviderName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'

/** A tool as a provider's `describe` receives it. */
export type OfferedTool = {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
  readonly isStrict: boolean
  readonly examples: readonly unknown[]
}

/**
 * Arguments as the vendor sends them, or, in `cut`, why they may be incomplete. Such a call is not
 * made.
 */
export type Arguments =
  | { readonly text: string }
  | { readonly value: unknown }
  | { readonly cut: string }

/** A call in a model's response. */
export type RequestedCall<A extends Arguments = Arguments> = {
  /** The vendor's id; undefined if there is none and no stable one can be derived. */
  readonly id: string | undefined
  readonly name: string
  readonly arguments: A
}

export type CompleteCall = RequestedCall<Exclude<Arguments, { readonly cut: string }>>

/** The answer to one call. */
export type ModelAnswer = {
  readonly call: RequestedCall
  readonly text: string
  readonly isError: boolean
}

/** A vendor's API: how tools, calls and results are formatted, and how a stream is assembled. */
export type Wire<Tools, Message> = {
  readonly dialects: {
    readonly strict: DialectName
    readonly plain: DialectName
    readonly preferred: 'strict' | 'plain'
  }
  readonly describe: (
    tools: readonly OfferedTool[],
    cacheControl: Readonly<Record<string, unknown>> | undefined,
  ) => Tools
  readonly calls: (response: unknown) => readonly RequestedCall[]
  readonly reply: (answers: readonly ModelAnswer[]) => readonly Message[]
  readonly collect: () => Collector
}

/** Assembles one streamed response. */
export type Collector = {
  readonly add: (event: unknown) => void
  /** The response as it would be without streaming; throws if its end has not been received. */
  readonly response: () => unknown
}
