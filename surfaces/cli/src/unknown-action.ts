import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

export function unknownAction(
  command: string,
  given: string,
  actions: readonly string[],
): UsageError {
  const near = nearest(given, actions)
  const hint =
    near === undefined ? `It is one of ${actions.join(', ')}.` : `Did you mean "${near}"?`
  return new UsageError(
    `"surehand ${command}" knows no "${given}". ${hint}`,
    `surehand help ${command}`,
  )
}
