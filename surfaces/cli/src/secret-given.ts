/** The first secret path that a value fills, however deep; lists are looked through. */
export function secretGiven(value: unknown, secrets: readonly string[]): string | undefined {
  return secrets.find((secret) => fills(value, stepsOf(secret)))
}

function stepsOf(secret: string): readonly string[] {
  return secret
    .replaceAll(/\[\d*\]/g, '')
    .split('.')
    .filter((step) => step !== '')
}

function fills(value: unknown, steps: readonly string[]): boolean {
  if (value === undefined || value === null) return false
  const [step, ...rest] = steps
  if (step === undefined) return true
  if (Array.isArray(value)) return value.some((item) => fills(item, steps))
  if (typeof value !== 'object') return false
  return Object.entries(value).some(
    ([key, member]) => (step === '*' || step === key) && fills(member, rest),
  )
}
