import { ToolError } from '@surehand/core'

/**
 * A gate that is closed, with the document's own code. `data` is for tools whose output reports
 * failures itself.
 */
export function refuse(
  sourceCode: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ToolError {
  return new ToolError('TOOL_GATE_CLOSED', message, {
    details: { source_code: sourceCode, ...details },
    data: { success: false, error: message },
    effect: 'none',
  })
}

/** The document's own code of an error, as in CONSENT_EXPIRED. */
export function sourceCodeOf(error: ToolError): string | undefined {
  const code = error.details?.source_code
  return typeof code === 'string' ? code : undefined
}
