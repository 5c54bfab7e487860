import { ToolError } from '@surehand/core'
import type { z } from 'zod'

/** An address is shown and kept as it is: what is secret does not belong into it. */
export function isWithoutName(url: string): boolean {
  const { username, password } = new URL(url)
  return username === '' && password === ''
}

/** Settings or places as an administrator wrote them, held against their form. */
export function readForm<T>(form: z.ZodType<T>, written: unknown, what: string): T {
  const parsed = form.safeParse(written)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => ({
    field: path.join('.') || what,
    error: message,
    provided_value: null,
  }))
  const words = problems.map(({ field, error }) => `${field}: ${error}`).join('; ')
  throw new ToolError('TOOL_INVALID_INPUT', `This is not what ${what} looks like: ${words}.`, {
    details: { validation_errors: problems },
  })
}
