/** RFC 5545, 3.1: no line is longer than this many octets, its end left out. */
const LONGEST_LINE = 75

// what may not stand in a text at all; a tab may, and the end of a line is written as \n
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
const CONTROLS =
  /[\u0000-\u0008\u000b-\u001f\u007f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** A text value: whatever it holds, it can't end its line and begin a property of its own. */
export function textValue(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(CONTROLS, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
}

/** A value that is not text (an address, a rule): it has no way to write the end of a line, so it has none. */
export function plainValue(value: string): string {
  return value.replace(/\s/g, '').replace(CONTROLS, '')
}

/** One property on as many lines as it needs, never cut inside a character. */
export function contentLine(name: string, value: string): string {
  const lines: string[] = []
  let line = ''
  let octets = 0
  for (const character of `${name}:${value}`) {
    const width = octetsOf(character)
    if (octets + width > LONGEST_LINE) {
      lines.push(line)
      line = ' '
      octets = 1
    }
    line += character
    octets += width
  }
  return [...lines, line].join('\r\n')
}

function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point < 0x10000 ? 3 : 4
}
