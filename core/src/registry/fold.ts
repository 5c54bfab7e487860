/** A name as people read it: two names with the same folded form would be mistaken for each other. */
export function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}
