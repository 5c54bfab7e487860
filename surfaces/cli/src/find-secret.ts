/** The first secret path that a value fills, however deep; lists are looked through. */
export function findSecret(value: unknown, secrets: readonly string[]): string | undefined {
  return secrets.find((secret) => hasValueAt(value, stepsOf(secret)))
}

function stepsOf(secret: string): readonly string[] {
  return secret
    .replaceAll(/\[\d*\]/g, '')
    .split('.')
    .filter((step) => step !== '')
}

function hasValueAt(value: unknown, steps: readonly string[]): boolean {
  if (value === undefined || value === null) return false
  const [step, ...rest] = steps
  if (step === undefined) return true
  if (Array.isArray(value)) return value.some((item) => hasValueAt(item, steps))
  if (typeof value !== 'object') return false
  return Object.entries(value).some(
    ([key, member]) => (step === '*' || step === key) && hasValueAt(member, rest),
  )
}
