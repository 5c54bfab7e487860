import { ToolError } from '@surehand/core'

export type Flaw = {
  readonly field: string
  readonly error: string
  readonly provided_value: unknown
}

/** What a check found: flaws, that forbid a program, and warnings, that don't. */
export type Findings = {
  readonly refuse: (field: string, error: string, provided?: unknown) => void
  readonly warn: (field: string, what: string) => void
  readonly flaws: () => readonly Flaw[]
  readonly warnings: () => readonly string[]
}

export function createFindings(): Findings {
  const flaws = new Map<string, Flaw>()
  const warnings = new Set<string>()
  return {
    refuse(field, error, provided) {
      flaws.set(`${field} ${error}`, { field, error, provided_value: provided ?? null })
    },
    warn(field, what) {
      warnings.add(`${field} ${what}`)
    },
    flaws: () => [...flaws.values()],
    warnings: () => [...warnings],
  }
}

/** All that is wrong, at once. */
export function invalidProgram(findings: Findings): ToolError {
  const flaws = findings.flaws()
  const sentences = flaws.map(
    ({ field, error }) => `${field === '' ? 'the program' : field} ${error}`,
  )
  return new ToolError(
    'TOOL_INVALID_INPUT',
    `The program can't be taken: ${sentences.join('; ')}.`,
    {
      details: { validation_errors: flaws },
      suggestions: sentences.slice(0, 5).map((one) => `Fix this: ${one}.`),
    },
  )
}
