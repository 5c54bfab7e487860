const MAX_CHARACTERS = 64 * 1024

/**
 * Foreign text is shown completely or not at all: a cut could leave half a secret, which the
 * scrubber would not recognize.
 */
export function omitLongText(text: string): string {
  return text.length <= MAX_CHARACTERS
    ? text
    : `(Left out: longer than ${MAX_CHARACTERS} characters.)`
}

/**
 * Collects text for `omitLongText`, and stores no more than is needed to know that it is too long.
 */
export function createTextCollector(): {
  readonly add: (more: string) => void
  readonly text: () => string
} {
  let collected = ''
  return {
    add(more) {
      if (collected.length <= MAX_CHARACTERS) collected += more
    },
    text: () => omitLongText(collected),
  }
}
