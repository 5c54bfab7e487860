import { createLexer, type Token, unexpected } from './lexer.ts'

/** Walks over tokens, insisting on what must come. */
export type Cursor = {
  readonly peek: () => Token
  readonly take: () => Token
  readonly isAt: (text: string) => boolean
  /** Takes it if it stands there. */
  readonly skip: (text: string) => boolean
  readonly expect: (text: string) => void
  readonly name: () => string
  readonly refuse: (wanted: string) => Error
}

export function createCursor(text: string): Cursor {
  const { peek, take } = createLexer(text)
  const isAt = (wanted: string): boolean => {
    const token = peek()
    return (token.kind === 'sign' || token.kind === 'name') && token.text === wanted
  }
  const refuse = (wanted: string): Error => unexpected(text, peek().at, wanted)
  const skip = (wanted: string): boolean => {
    if (!isAt(wanted)) return false
    take()
    return true
  }
  return {
    peek,
    take,
    isAt,
    skip,
    refuse,
    expect(wanted) {
      if (!skip(wanted)) throw refuse(`"${wanted}"`)
    },
    name() {
      if (peek().kind !== 'name') throw refuse('a name')
      return take().text
    },
  }
}
