/** What a model sees of a request, whichever vendor's wire it came by. */
export type Conversation = {
  readonly vendor: Vendor
  readonly model: string
  readonly system: string
  readonly turns: readonly Turn[]
  readonly tools: readonly OfferedTool[]
  readonly isStreamed: boolean
  /** The request's body as it came. */
  readonly body: unknown
}

export type Vendor = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'

export type Turn =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly MadeCall[] }
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

export type MadeCall = { readonly id: string; readonly name: string; readonly arguments: unknown }
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

/** What the mind decides. Arguments that are a text are sent as they are, whole JSON or not. */
export type Thought =
  | { readonly text: string; readonly calls?: undefined }
  | { readonly calls: readonly WantedCall[]; readonly text?: string }
/** With an id of the script's own, where the vendor's would be new each time. */
export type WantedCall = {
  readonly name: string
  readonly arguments: unknown
  readonly id?: string
}

/** The script behind an emulated model. */
export type Mind = (conversation: Conversation) => Thought

/** The results that came in after the last thing the model said. */
export function lastResults({ turns }: Conversation): readonly ToolResult[] {
  const last = turns.at(-1)
  return last?.role === 'tool' ? last.results : []
}

/** What a thought weighs; four characters a token is the usual guess. */
export function tokensIn(value: unknown): number {
  return Math.max(1, Math.ceil(JSON.stringify(value ?? '').length / 4))
}
