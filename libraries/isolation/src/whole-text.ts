const MOST_CHARACTERS = 64 * 1024

/** A foreign text as a whole or not at all: cut, it could end in half a secret, which nobody downstream would know to scrub. */
export function wholeText(text: string): string {
  return text.length <= MOST_CHARACTERS
    ? text
    : `(Left out: longer than ${MOST_CHARACTERS} characters.)`
}

/** Collects a text for `wholeText`, keeping no more than it takes to know that it is too long. */
export function textCollector(): {
  readonly add: (more: string) => void
  readonly text: () => string
} {
  let collected = ''
  return {
    add(more) {
      if (collected.length <= MOST_CHARACTERS) collected += more
    },
    text: () => wholeText(collected),
  }
}
