import { CanonicalText, canonicalJson } from '../call/canonical.ts'
import type { Pace } from '../call/json-in-turns/parse-in-pieces.ts'
import type { Maybe } from '../call/maybe.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Problem } from './schema.ts'
import type { Tool } from './tool.ts'
import type { Writer } from './writer.ts'

export type CheckedOutput =
  | {
      readonly ok: true
      readonly data: unknown
      readonly output: CanonicalText
      readonly warnings: readonly string[]
    }
  | { readonly ok: false; readonly problem: string; readonly raw: unknown }

const NO_WARNINGS: readonly string[] = []

/**
 * Validates an output against the tool's schema, as strictly as the contract's `outputValidation`
 * says.
 */
export function checkOutput(tool: Tool, raw: unknown): CheckedOutput {
  const { output, contract } = tool
  if (contract.outputValidation === 'disabled') return acceptAnyJson(raw, NO_WARNINGS)
  const parsed = output.parse(raw)
  return parsed.ok
    ? writeOutput(parsed.value, output.write, NO_WARNINGS)
    : onInvalidOutput(tool, raw, parsed.problems)
}

type PacedCall = { readonly tool: Tool; readonly pace: Pace | undefined }

/** The same for the output of a call: in parts, where its input is worked on in parts. */
export function checkOutputOf({ tool, pace }: PacedCall, raw: unknown): Maybe<CheckedOutput> {
  return pace === undefined || tool.contract.outputValidation === 'disabled'
    ? checkOutput(tool, raw)
    : checkInTurns(tool, raw, pace)
}

async function checkInTurns(tool: Tool, raw: unknown, pace: Pace): Promise<CheckedOutput> {
  // Loaded on first use, as the rest of the code for large values is.
  const { parseInTurns } = await import('./parse-in-turns.ts')
  await pace()
  const parsed = await parseInTurns(tool.output, raw, pace)
  if (!parsed.ok) return onInvalidOutput(tool, raw, parsed.problems)
  try {
    const output = await tool.output.writeInTurns(parsed.value, pace)
    return { ok: true, data: parsed.value, output, warnings: NO_WARNINGS }
  } catch {
    // Some values that are not JSON have a text all the same, such as an absent item of a list.
    return writeOutput(parsed.value, tool.output.write, NO_WARNINGS)
  }
}

function onInvalidOutput(
  { contract }: Tool,
  raw: unknown,
  problems: readonly Problem[],
): CheckedOutput {
  const problem = problems
    .map(({ field, error }) => `${field === '' ? 'the output' : field} ${error}`)
    .join('; ')
  if (contract.outputValidation === 'lenient')
    return acceptAnyJson(raw, [`The output does not quite match the declared schema: ${problem}.`])
  return { ok: false, problem, raw: raw ?? null }
}

// The shape was not checked, so the value is stored as JSON.stringify writes it.
function acceptAnyJson(raw: unknown, warnings: readonly string[]): CheckedOutput {
  const text = plainJson(raw)
  return text === undefined ? notJson(raw) : writeOutput(JSON.parse(text), writeAnyJson, warnings)
}

// A schema such as z.unknown() accepts values that are not JSON; the effect has happened all the
// same.
function writeOutput(data: unknown, write: Writer, warnings: readonly string[]): CheckedOutput {
  try {
    return { ok: true, data, output: write(data), warnings }
  } catch {
    return notJson(data)
  }
}

function writeAnyJson(value: unknown): CanonicalText {
  return new CanonicalText(canonicalJson(value))
}

function notJson(raw: unknown): CheckedOutput {
  return {
    ok: false,
    problem: 'the output is not JSON',
    raw: plainJson(raw) === undefined ? String(raw) : raw,
  }
}

/** The value as JSON; undefined when it cannot be written as JSON (cyclic, or a bigint). */
export function plainJson(raw: unknown): string | undefined {
  try {
    return JSON.stringify(raw ?? null)
  } catch {
    return undefined
  }
}

/** The effect has happened, but the output does not match the declared schema. */
export function invalidOutputError(toolId: string, problem: string, callId: string): ToolError {
  return new ToolError(
    'TOOL_INVALID_OUTPUT',
    `${toolId} answered in a shape it does not declare: ${problem}.`,
    { details: { call_id: callId, problem } },
  )
}
