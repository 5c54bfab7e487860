const KEY_FIELDS = ['idempotencyKey', 'idempotency_key']

/** The field of an input that holds its idempotency key, in either document's spelling. */
export function keyFieldAmong(names: readonly string[]): string | undefined {
  return KEY_FIELDS.find((field) => names.includes(field))
}
