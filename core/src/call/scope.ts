/**
 * One string from several parts, such that two different lists never meet. Joined with a bare
 * separator, ["a:b", "c"] and ["a", "b:c"] would share a key, and with it an answer.
 */
export function scopedKey(...parts: readonly string[]): string {
  let key = ''
  for (const part of parts) key += `${part.length}:${part},`
  return key
}
