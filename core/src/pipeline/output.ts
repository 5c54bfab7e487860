import { CanonicalText } from '../call/canonical-text.ts'
import { isToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'

export type CheckedOutput =
  | { readonly ok: true; readonly data: unknown; readonly output: CanonicalText; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: string; readonly raw: unknown }

const none: readonly string[] = []

/** Holds an answer against the shape the tool declares, as strictly as its contract says. */
export function checkOutput(tool: Tool, raw: unknown): CheckedOutput {
  const { output, contract } = tool
  if (contract.outputValidation === 'disabled') return unchecked(raw, [])
  const parsed = output.parse(raw)
  if (parsed.ok) return checked(parsed.value, output.write(parsed.value), none)
  const problem = parsed.problems.map(({ field, error }) => `${field === '' ? 'the output' : field} ${error}`).join('; ')
  if (contract.outputValidation === 'lenient') return unchecked(raw, [`The answer is not quite in the declared shape: ${problem}.`])
  return { ok: false, problem, raw: raw ?? null }
}

// nobody has checked the shape, so the text itself is what is kept and hashed
function unchecked(raw: unknown, warnings: readonly string[]): CheckedOutput {
  const text = plainJson(raw)
  if (text === undefined) return { ok: false, problem: 'the output is not JSON', raw: String(raw) }
  return checked(JSON.parse(text), text, warnings)
}

function checked(data: unknown, text: string, warnings: readonly string[]): CheckedOutput {
  return { ok: true, data, output: new CanonicalText(text), warnings }
}

function plainJson(raw: unknown): string | undefined {
  try {
    return JSON.stringify(raw ?? null)
  } catch (thrown) {
    if (isToolError(thrown)) throw thrown
    return undefined // cyclic, or a bigint
  }
}
