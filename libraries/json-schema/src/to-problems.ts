import { visibleText } from '@surehand/core/host'
import { fieldName, HIDDEN, type Problem, redact, type Shape } from '@surehand/core/internal'
import { cut } from './expectation.ts'
import { type Fault, kindOf, type Path } from './spot.ts'

const KINDS = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
  array: 'an array',
  object: 'an object',
  other: 'something that is not JSON',
}

/** Faults as the pipeline tells them, with every secret of the value hidden. */
export function toProblems(
  faults: readonly Fault[],
  value: unknown,
  shape: Shape,
): readonly Problem[] {
  const shown = redact(shape, value)
  const problems = faults.map((fault) => toProblem(fault, value, shown))
  // two branches that agree complain alike
  const keys = problems.map(({ field, error }) => `${field}\n${error}`)
  return problems.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
}

function toProblem({ kind, path, say }: Fault, value: unknown, shown: unknown): Problem {
  const steps = stepsOf(path)
  // a key may be as long as the whole input
  const field = visibleText(
    fieldName(steps.map((step) => (typeof step === 'string' ? cut(step, 200) : step))),
  )
  const words =
    kind === 'type' ? `expected ${say()}, got ${typeWords(valueAt(value, steps))}` : say()
  return {
    kind,
    field,
    error: visibleText(words),
    provided_value: kind === 'missing' ? null : shownAt(shown, steps),
  }
}

function typeWords(value: unknown): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'number' && !Number.isInteger(value) ? 'a fraction' : KINDS[kindOf(value)]
}

function stepsOf(path: Path): readonly (string | number)[] {
  const steps: (string | number)[] = []
  for (let at = path; at !== undefined; at = at.up) steps.push(at.step)
  return steps.reverse()
}

// inside a secret there is nothing to show but that it is one
function shownAt(shown: unknown, steps: readonly (string | number)[]): unknown {
  const isWithinSecret = steps.some((_, index) => valueAt(shown, steps.slice(0, index)) === HIDDEN)
  return isWithinSecret ? HIDDEN : (valueAt(shown, steps) ?? null)
}

function valueAt(value: unknown, steps: readonly (string | number)[]): unknown {
  let current = value
  for (const step of steps) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step))
      return undefined
    current = (current as Readonly<Record<string | number, unknown>>)[step]
  }
  return current
}
