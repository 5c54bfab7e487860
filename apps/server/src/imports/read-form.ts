import { ToolError } from '@surehand/core'
import type { z } from 'zod'

/** Addresses are stored and shown in plain text, so they must not contain secrets. */
export function isWithoutName(url: string): boolean {
  // What is no address is refused as such.
  if (!URL.canParse(url)) return true
  const { username, password } = new URL(url)
  return username === '' && password === ''
}

/** Parses settings or addresses that an administrator wrote. */
export function readForm<T>(form: z.ZodType<T>, written: unknown, what: string): T {
  const parsed = form.safeParse(written)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => ({
    field: path.join('.') || what,
    error: message,
    provided_value: null,
  }))
  const words = problems.map(({ field, error }) => `${field}: ${error}`).join('; ')
  throw new ToolError('TOOL_INVALID_INPUT', `These are not valid values for ${what}: ${words}.`, {
    details: { validation_errors: problems },
  })
}
