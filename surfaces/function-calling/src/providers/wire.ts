import type { JsonSchema } from '@surehand/core/internal'
import type { DialectName } from '../schema/dialect.ts'

export type ProviderName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'

/** A tool on its way into a vendor's list. */
export type OfferedTool = {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
  readonly isStrict: boolean
  readonly examples: readonly unknown[]
}

/** Arguments as the vendor sends them; where nobody can know that they are whole, why not. Such a call is not made. */
export type Arguments =
  | { readonly text: string }
  | { readonly value: unknown }
  | { readonly cut: string }

/** A call as it stands in a model's response. */
export type RequestedCall<A extends Arguments = Arguments> = {
  /** The vendor's id; undefined where it gives none and nothing stable can be made. */
  readonly id: string | undefined
  readonly name: string
  readonly arguments: A
}

export type CompleteCall = RequestedCall<Exclude<Arguments, { readonly cut: string }>>

/** What is told back, in the order of the calls. */
export type ModelAnswer = {
  readonly call: RequestedCall
  readonly text: string
  readonly isError: boolean
}

/** A vendor's wire: three translations and the putting together of what is streamed. */
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

/** Puts one streamed response together. */
export type Collector = {
  readonly add: (event: unknown) => void
  /** The response as it would have come in one piece; throws while its end hasn't been heard. */
  readonly response: () => unknown
}
