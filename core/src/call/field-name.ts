/** A path as people write it: `customer.tags[2]`. */
export function fieldName(path: readonly PropertyKey[]): string {
  let name = ''
  for (const step of path) {
    if (typeof step === 'number') name += `[${step}]`
    else name += name === '' ? String(step) : `.${String(step)}`
  }
  return name
}
