/** A name as the eye reads it: two that fold alike would be taken for each other. */
export function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
