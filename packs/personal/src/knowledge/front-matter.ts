import { CORE_SCHEMA, dump, load } from 'js-yaml'
import type { Json, Properties } from './note.ts'

const LONGEST = 16_384
const DEEPEST = 8
const FENCE = /^---[ \t]*$/
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

export type Split = { readonly properties: Properties | undefined; readonly body: string }

/** A Markdown text in its front matter and the rest; what can not be read as front matter stays in the body, so that nothing is lost. */
export function splitFrontMatter(text: string): Split {
  const whole = { properties: undefined, body: text }
  const [first = '', ...rest] = linesOf(text)
  if (!FENCE.test(ended(first))) return whole
  const end = rest.findIndex((line) => FENCE.test(ended(line)))
  if (end < 0) return whole
  const block = rest.slice(0, end).join('')
  const properties = block.length > LONGEST ? undefined : readProperties(block)
  return properties === undefined ? whole : { properties, body: rest.slice(end + 1).join('') }
}

/** The text with its front matter before it; where there is nothing to say, only what keeps the body from being taken for one. */
export function joinFrontMatter(properties: Properties, body: string): string {
  if (Object.keys(properties).length > 0)
    return `---\n${dump(properties, { lineWidth: -1, noRefs: true })}---\n${body}`
  return /^(?:---|\ufeff)/.test(body) ? `---\n---\n${body}` : body
}

// each with its end, so that the parts put together are the text
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function ended(line: string): string {
  return line.replace(/\r?\n$/, '')
}

function readProperties(block: string): Properties | undefined {
  if (block.trim() === '') return {}
  try {
    // aliases of YAML let a kilobyte stand for a gigabyte
    const read: unknown = load(block, { schema: CORE_SCHEMA, maxAliases: 0, maxDepth: DEEPEST })
    return isPlain(read) && isJson(read) ? read : undefined
  } catch {
    return undefined // no YAML: it is text
  }
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isJson(value: unknown): value is { readonly [name: string]: Json } {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() && !value.includes('\u0000')
    case 'number':
      return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
    case 'boolean':
      return true
    case 'object':
      if (value === null) return true
      if (Array.isArray(value)) return value.every(isJson)
      return Object.entries(value).every(
        ([name, part]) => !FORBIDDEN.has(name) && isJson(name) && isJson(part),
      )
    default:
      return false
  }
}
