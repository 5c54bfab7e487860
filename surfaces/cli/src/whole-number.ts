import { UsageError } from './usage-error.ts'

/** A flag's value as a whole number of at least one. */
export function wholeNumber(
  name: string,
  text: string,
  { most, suggestion }: { readonly most: number; readonly suggestion: string },
): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= most) return value
  throw new UsageError(`--${name} is a whole number from 1 to ${most}, not "${text}".`, suggestion)
}
