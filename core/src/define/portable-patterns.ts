import type { JsonSchema } from './json-schema.ts'

// Their members are data, in which `pattern` is an ordinary name.
const VALUES = new Set(['const', 'default', 'enum', 'examples'])

/**
 * A foreign schema with patterns that every validator accepts. Common validators compile patterns
 * with the flag `u` and refuse the whole list of tools for one that is invalid under it, such as
 * `[\w-.]`. Such a pattern is rewritten or left out; the runtime still enforces the original.
 */
export function withPortablePatterns(schema: JsonSchema): JsonSchema {
  return walk(schema) as JsonSchema
}

// Returns the same object where nothing changes: schemas are large and seldom have such patterns.
function walk(node: unknown): unknown {
  if (Array.isArray(node)) {
    const items = node.map(walk)
    return items.every((item, index) => item === node[index]) ? node : items
  }
  if (typeof node !== 'object' || node === null) return node
  const before = Object.entries(node)
  const after = before.flatMap(([name, value]) => walkMember(name, value))
  const isSame =
    after.length === before.length &&
    after.every(
      ([name, value], index) => name === before[index]?.[0] && value === before[index]?.[1],
    )
  return isSame ? node : Object.fromEntries(after)
}

function walkMember(name: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (VALUES.has(name)) return [[name, value]]
  if (name === 'pattern' && typeof value === 'string') {
    const portable = toPortablePattern(value)
    return portable === undefined ? [] : [[name, portable]]
  }
  if (name === 'patternProperties' && typeof value === 'object' && value !== null)
    return [[name, walk(withPortableNames(value))]]
  return [[name, walk(value)]]
}

function withPortableNames(members: object): object {
  const names = Object.keys(members)
  if (names.every(isPortable)) return members
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => {
      const portable = toPortablePattern(name)
      return portable === undefined ? [] : [[portable, value]]
    }),
  )
}

/** The pattern as it is valid under the flag `u`; undefined if it cannot be rewritten. */
function toPortablePattern(pattern: string): string | undefined {
  if (isPortable(pattern)) return pattern
  const rewritten = rewritePattern(pattern)
  return isPortable(rewritten) ? rewritten : undefined
}

function isPortable(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

// Under `u`, a sign without a meaning may not be escaped, and a `-` beside a class of characters
// must be.
function rewritePattern(pattern: string): string {
  let isInClass = false
  let text = ''
  for (const [piece] of pattern.matchAll(/\\u\{[^}]*\}|\\[\s\S]|[\s\S]/g)) {
    const isClassDash = isInClass && piece === '-' && /(?:\\[dswDSW]|\[\^?)$/.test(text)
    if (piece === '[' && !isInClass) isInClass = true
    else if (piece === ']') isInClass = false
    if (isClassDash) text += '\\-'
    else if (
      /^\\[^\w^$\\.*+?()[\]{}|/-]$/.test(piece) ||
      (piece === '\\-' && !isInClass) ||
      piece === '\\_'
    )
      text += piece.slice(1)
    else text += piece
  }
  return text
}
