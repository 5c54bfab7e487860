/** What a model is told of a vendor's reply. Names, phone numbers and ids are removed from it. */
export type ReplyQuestion = {
  /** What the vendor was asked for, with quantity and unit where the client named them. */
  readonly request: string | undefined
  readonly reply: string
}

/** A language model that reads replies. It throws a `ToolError` where it cannot answer. */
export type ReplyModel = {
  /** The vendor and its model, as in `openai:gpt-5.5`. */
  readonly name: string
  /** The text that the model answers with. It is not trusted: `readModelAnswer` checks it. */
  readonly read: (
    order: { readonly tenant: string; readonly question: ReplyQuestion },
    signal: AbortSignal,
  ) => Promise<string>
}
