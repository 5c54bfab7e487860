import { canonicalJson } from '../call/canonical.ts'
import { CanonicalText } from '../call/canonical-text.ts'
import type { Tool } from '../define/tool.ts'

export type CheckedOutput =
  | {
      readonly ok: true
      readonly data: unknown
      readonly output: CanonicalText
      readonly warnings: readonly string[]
    }
  | { readonly ok: false; readonly problem: string; readonly raw: unknown }

const none: readonly string[] = []

/** Holds an answer against the shape the tool declares, as strictly as its contract says. */
export function checkOutput(tool: Tool, raw: unknown): CheckedOutput {
  const { output, contract } = tool
  if (contract.outputValidation === 'disabled') return unchecked(raw, [])
  const parsed = output.parse(raw)
  if (parsed.ok) return written(parsed.value, output.write, none)
  const problem = parsed.problems
    .map(({ field, error }) => `${field === '' ? 'the output' : field} ${error}`)
    .join('; ')
  if (contract.outputValidation === 'lenient')
    return unchecked(raw, [`The answer is not quite in the declared shape: ${problem}.`])
  return { ok: false, problem, raw: raw ?? null }
}

// nobody has checked the shape, so what JSON makes of it is what is kept
function unchecked(raw: unknown, warnings: readonly string[]): CheckedOutput {
  const text = plainJson(raw)
  return text === undefined ? notJson(raw) : written(JSON.parse(text), canonicalJson, warnings)
}

// a schema that takes anything takes what is no JSON too; the effect is there all the same
function written(
  data: unknown,
  write: (value: unknown) => string,
  warnings: readonly string[],
): CheckedOutput {
  try {
    return { ok: true, data, output: new CanonicalText(write(data)), warnings }
  } catch {
    return notJson(data)
  }
}

function notJson(raw: unknown): CheckedOutput {
  return {
    ok: false,
    problem: 'the output is not JSON',
    raw: plainJson(raw) === undefined ? String(raw) : raw,
  }
}

/** What JSON makes of a value; undefined where it makes nothing of it. */
export function plainJson(raw: unknown): string | undefined {
  try {
    return JSON.stringify(raw ?? null)
  } catch {
    return undefined // cyclic, or a bigint
  }
}
