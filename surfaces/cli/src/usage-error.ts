/** EX_USAGE of sysexits.h: the command line is wrong; no tool was called. */
export const EXIT_USAGE = 64

const brand = Symbol.for('surehand.cli.UsageError')

/** The command line is wrong: the message says how, the suggestion is a command that helps. */
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
