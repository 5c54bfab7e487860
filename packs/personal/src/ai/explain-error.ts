import { isToolError, ToolError, type ToolErrorCode } from '@surehand/core'
import type { Confidence } from './explanation.ts'

type ExplainCode =
  | 'EXPLAIN_SUBJECT_NOT_FOUND'
  | 'EXPLAIN_INSUFFICIENT_DATA'
  | 'EXPLAIN_TIMEOUT'
  | 'EXPLAIN_LOW_CONFIDENCE'
  | 'EXPLAIN_UNSUPPORTED_TYPE'

const CODES: Readonly<Record<ExplainCode, ToolErrorCode>> = {
  EXPLAIN_SUBJECT_NOT_FOUND: 'TOOL_RESOURCE_NOT_FOUND',
  EXPLAIN_INSUFFICIENT_DATA: 'TOOL_INSUFFICIENT_DATA',
  EXPLAIN_TIMEOUT: 'TOOL_EXECUTION_TIMEOUT',
  EXPLAIN_LOW_CONFIDENCE: 'TOOL_GATE_CLOSED',
  EXPLAIN_UNSUPPORTED_TYPE: 'TOOL_INVALID_FIELD_VALUE',
}

/** An error of the Explain Protocol, as a code of the error table. */
export function explainError(
  source: ExplainCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ToolError {
  const suggestions =
    source === 'EXPLAIN_INSUFFICIENT_DATA' || source === 'EXPLAIN_LOW_CONFIDENCE'
      ? { suggestions: [message] }
      : {}
  return new ToolError(CODES[source], message, {
    details: { source_code: source, ...details },
    ...suggestions,
  })
}

/**
 * Looks up a subject. Not found becomes the error of the protocol; an ambiguous name stays as it
 * is.
 */
export async function findSubject<T>(finding: Promise<T>): Promise<T> {
  try {
    return await finding
  } catch (thrown) {
    if (!isToolError(thrown) || thrown.code !== 'TOOL_RESOURCE_NOT_FOUND') throw thrown
    throw explainError('EXPLAIN_SUBJECT_NOT_FOUND', thrown.message, thrown.details)
  }
}

/** Refuses an explanation whose confidence is lower than the caller asked for. */
export function requireConfidence(
  { overall_confidence: overall, confidence_breakdown }: Confidence,
  least: number,
): void {
  if (overall >= least) return
  throw explainError(
    'EXPLAIN_LOW_CONFIDENCE',
    `The confidence of this explanation is ${overall}, below the requested ${least}. Lower min_confidence, or record more data.`,
    {
      overall_confidence: overall,
      asked_for: least,
      confidence_breakdown,
    },
  )
}
