/** The structured content of an MCP tool's answer. Throws where the answer is an error. */
export function structuredContent(answer: unknown): unknown {
  const { isError, structuredContent: output } = answer as {
    isError?: boolean
    structuredContent?: unknown
  }
  if (isError === true || output === undefined) throw new Error(JSON.stringify(answer))
  return output
}
