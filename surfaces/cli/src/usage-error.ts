/** sysexits.h: the command was used wrongly; no tool was asked. */
export const EXIT_USAGE = 64

const brand = Symbol.for('surehand.cli.UsageError')

/** The command line itself is wrong: what is, and the command that helps. */
export class UsageError extends Error {
  readonly suggestion: string
  readonly [brand] = true

  constructor(message: string, suggestion: string) {
    super(message)
    this.name = 'UsageError'
    this.suggestion = suggestion
  }
}

export function isUsageError(value: unknown): value is UsageError {
  return typeof value === 'object' && value !== null && brand in value
}
