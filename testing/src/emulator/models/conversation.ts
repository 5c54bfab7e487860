/** A request to a model, independent of the vendor's wire format. */
export type Conversation = {
  readonly vendor: Vendor
  readonly model: string
  readonly system: string
  readonly turns: readonly Turn[]
  readonly tools: readonly OfferedTool[]
  readonly isStreamed: boolean
  /** The original body of the request. */
  readonly body: unknown
}

export type Vendor = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'

export type Turn =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly RequestedCall[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

export type RequestedCall = {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}
export type ToolResult = {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly isError: boolean
}
export type OfferedTool = {
  readonly name: string
  readonly description: string
  readonly schema: unknown
  readonly isStrict: boolean
}

/**
 * The answer that a script gives. Arguments that are a string are sent unchanged, even if they are
 * not valid JSON.
 */
export type ScriptedReply =
  | { readonly text: string; readonly calls?: undefined }
  | { readonly calls: readonly ScriptedCall[]; readonly text?: string }
/** A tool call in an answer. `id` replaces the random id that the vendor would give. */
export type ScriptedCall = {
  readonly name: string
  readonly arguments: unknown
  readonly id?: string
}

/** The script behind an emulated model. */
export type ModelScript = (conversation: Conversation) => ScriptedReply

/** The tool results that the last turn contains. */
export function lastResults({ turns }: Conversation): readonly ToolResult[] {
  const last = turns.at(-1)
  return last?.role === 'tool' ? last.results : []
}

/** Estimates the number of tokens, at the usual four characters a token. */
export function estimateTokens(value: unknown): number {
  return Math.max(1, Math.ceil(JSON.stringify(value ?? '').length / 4))
}
