import { refusedDocument } from '../schema/bounds.ts'
import { blockText } from './block-text.ts'

export type Token = {
  readonly kind: 'name' | 'number' | 'string' | 'sign' | 'end'
  readonly text: string
  readonly at: number
}

/** The tokens of a text, one at a time: looked at, then taken. */
export type Lexer = { readonly peek: () => Token; readonly take: () => Token }

const NAME = /[_A-Za-z][_0-9A-Za-z]*/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![_0-9A-Za-z.])/y
const SIGNS = new Set('!$&():=@[]{|}')

export function createLexer(text: string): Lexer {
  let position = 0
  let ahead: Token | undefined

  function matched(pattern: RegExp): string | undefined {
    pattern.lastIndex = position
    return pattern.exec(text)?.[0]
  }

  function made(
    kind: Token['kind'],
    length: number,
    value = text.slice(position, position + length),
  ): Token {
    const token = { kind, text: value, at: position }
    position += length
    return token
  }

  function read(): Token {
    position = afterBlank(text, position)
    if (position >= text.length) return made('end', 0)
    const character = text[position] ?? ''
    const name = matched(NAME)
    if (name !== undefined) return made('name', name.length)
    if (SIGNS.has(character)) return made('sign', 1)
    if (character === '"') return stringAt()
    const number = matched(NUMBER)
    if (number !== undefined) return made('number', number.length)
    if (text.startsWith('...', position)) return made('sign', 3)
    throw unexpected(text, position)
  }

  function stringAt(): Token {
    if (text.startsWith('"""', position)) {
      const end = endOfBlock(text, position + 3)
      return made(
        'string',
        end + 3 - position,
        blockText(text.slice(position + 3, end).replaceAll('\\"""', '"""')),
      )
    }
    const end = endOfString(text, position + 1)
    return made(
      'string',
      end + 1 - position,
      unescaped(text.slice(position + 1, end), text, position),
    )
  }

  return {
    peek() {
      ahead ??= read()
      return ahead
    },
    take() {
      const token = ahead ?? read()
      ahead = undefined
      return token
    },
  }
}

// white space, commas, the byte order mark and comments mean nothing
function afterBlank(text: string, from: number): number {
  let position = from
  for (;;) {
    const code = text.charCodeAt(position)
    if (code === 35) {
      while (position < text.length && text[position] !== '\n' && text[position] !== '\r')
        position++
    } else if (
      code === 32 ||
      code === 10 ||
      code === 44 ||
      code === 9 ||
      code === 13 ||
      code === 0xfeff
    )
      position++
    else return position
  }
}

function endOfBlock(text: string, from: number): number {
  for (let end = text.indexOf('"""', from); end >= 0; end = text.indexOf('"""', end + 3)) {
    if (text[end - 1] !== '\\') return end
  }
  throw unexpected(text, from - 3)
}

function endOfString(text: string, from: number): number {
  for (let position = from; position < text.length; position++) {
    const character = text[position]
    if (character === '"') return position
    if (character === '\n' || character === '\r') break
    if (character === '\\') position++
  }
  throw unexpected(text, from - 1)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

function unescaped(raw: string, text: string, at: number): string {
  if (!raw.includes('\\')) return raw
  return raw.replace(
    /\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,8})\}|([\s\S]))/g,
    (_, four, braced, single) => {
      if (single !== undefined && Object.hasOwn(ESCAPES, single)) return ESCAPES[single] ?? ''
      const code = single === undefined ? Number.parseInt(four ?? braced, 16) : Number.NaN
      if (!(code <= 0x10ffff)) throw unexpected(text, at)
      return four === undefined ? String.fromCodePoint(code) : String.fromCharCode(code)
    },
  )
}

/** Says where in the text something can't be read. */
export function unexpected(text: string, at: number, wanted = 'something else'): Error {
  const line = text.slice(0, at).split('\n').length
  const found = at >= text.length ? 'the end' : `"${text.slice(at, at + 20).split('\n')[0]}"`
  return refusedDocument(`line ${line}: ${wanted} is expected where ${found} stands`)
}
