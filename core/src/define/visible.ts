import { once } from './once.ts'

// controls but tab and newline, format and bidirectional marks, private use, everything Unicode
// says may be drawn as nothing, the blank braille cell and every space but the plain one:
// characters that change what a person reads without being read; made when a text is not plain:
// looking up what Unicode says of them takes a millisecond
const hidden = once(
  () => /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u2800]|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}|⟨/gu,
)

// most words are plain, and this is a tenth of the cost of looking for what can't be seen
const PLAIN = /^[\n\t\x20-\x7e]*$/

// ⟨ is spelled out too: a text that only looks like one with something spelled out must not pass
// for it
/**
 * The text with every invisible character spelled out, so that people approve only what they can
 * see.
 */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replace(hidden(), (character) =>
    character === '\n' || character === '\t' ? character : spellOut(character),
  )
}

function spellOut(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/** `visibleText` for every text and key of a JSON value. */
export function visibleJson(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value)
  if (Array.isArray(value)) return value.map(visibleJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [visibleText(key), visibleJson(member)]),
  )
}

// Terminal escapes and other controls, bidirectional overrides, and tag characters, which a model
// reads and a person does not see. What ordinary texts contain (line ends, joiners, hard spaces)
// stays.
const COMMANDS = /(?![\n\r\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** A foreign text for a model, with characters that hide or reorder words spelled out. */
export function withoutHiddenCommands(text: string): string {
  return PLAIN.test(text) ? text : text.replace(COMMANDS, spellOut)
}

/** Who asked, for people: the person, or the agent that acts for them. */
export function requesterText({
  principal,
  shown,
}: {
  readonly principal: string
  /** As it is stored with an approval request or a question; `{}` once it was erased. */
  readonly shown: string
}): string {
  const { asked_by: name = visibleText(principal), actor } = JSON.parse(shown) as {
    readonly asked_by?: string
    readonly actor?: string
  }
  return actor === 'ai_agent' ? `${name}'s agent` : name
}
