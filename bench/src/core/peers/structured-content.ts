type Answer = {
  readonly isError?: boolean
  readonly structuredContent?: unknown
  readonly content?: readonly { readonly text: string }[]
}

/**
 * The data of an MCP tool's answer: its structured content, or the JSON of its text where the
 * server sends models no copy. Throws where the answer is an error.
 */
export function structuredContent(answer: unknown): unknown {
  const { isError, structuredContent: output, content } = answer as Answer
  const text = content?.[0]?.text
  if (isError === true || (output === undefined && text === undefined))
    throw new Error(JSON.stringify(answer))
  return output ?? JSON.parse(text ?? '')
}
