import { isRecord } from '@surehand/core/internal'
import { CORE_SCHEMA, dump, load } from 'js-yaml'
import {
  type Json,
  LONGEST_TAG,
  LONGEST_TITLE,
  MOST_TAGS,
  type Note,
  type Properties,
} from './note.ts'

const TAG = /^[\p{L}\p{N}_/-]+$/u

/**
 * Reads a Markdown file as a note. Its title is that of the front matter, else the file name, as in
 * Obsidian.
 */
export function readNote(text: string, name: string): Note {
  const { properties = {}, body } = splitFrontMatter(text.replace(/^\ufeff/, ''))
  const { title, tags, tag, aliases, alias, ...rest } = properties
  const knownTitle = readTitle(title)
  const knownTags = readNames(tags ?? tag, toTag)
  const knownAliases = readNames(aliases ?? alias, toAlias)
  return {
    title: knownTitle ?? shortTitle(name),
    body,
    tags: knownTags ?? [],
    aliases: knownAliases ?? [],
    properties: {
      ...rest,
      ...keepUnknown('title', title, knownTitle),
      ...keepUnknown('tags', tags, knownTags),
      ...keepUnknown('tag', tag, tags === undefined ? knownTags : undefined),
      ...keepUnknown('aliases', aliases, knownAliases),
      ...keepUnknown('alias', alias, aliases === undefined ? knownAliases : undefined),
    },
  }
}

/** Writes a note as the text of a file with this name; reading it again gives the same note. */
export function writeNote({ title, body, tags, aliases, properties }: Note, name: string): string {
  const front = {
    ...(title === shortTitle(name) ? {} : { title }),
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(tags.length === 0 ? {} : { tags }),
    ...properties,
  }
  return joinFrontMatter(front, body)
}

// A property in an unknown form is kept as it is.
function keepUnknown(name: string, value: Json | undefined, understood: unknown): Properties {
  return value === undefined || understood !== undefined ? {} : { [name]: value }
}

function readTitle(value: Json | undefined): string | undefined {
  return typeof value === 'string' &&
    value.trim() === value &&
    value !== '' &&
    value.length <= LONGEST_TITLE
    ? value
    : undefined
}

function shortTitle(name: string): string {
  const title = name
    .trim()
    .slice(0, LONGEST_TITLE)
    .trim()
    .replace(/[\ud800-\udbff]$/, '')
  return title === '' ? 'Untitled' : title
}

/**
 * A list, or one text separated by commas, as Obsidian accepts both. Undefined for anything else.
 */
function readNames(
  value: Json | undefined,
  fit: (text: string) => string | undefined,
): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  const parts = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(',')
      : undefined
  if (parts === undefined || parts.length > MOST_TAGS) return undefined
  const names = parts.map((part: Json) => (typeof part === 'string' ? fit(part.trim()) : undefined))
  return names.every((name: string | undefined) => name !== undefined)
    ? [...new Set(names)]
    : undefined
}

function toTag(text: string): string | undefined {
  const tag = text.replace(/^#/, '')
  return TAG.test(tag) && tag.length <= LONGEST_TAG ? tag : undefined
}

function toAlias(text: string): string | undefined {
  return text !== '' && text.length <= LONGEST_TITLE ? text : undefined
}

// Tags and links inside code do not count.
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g
const INLINE_TAG = /(?:^|\s)#([\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*)/gu

export function withoutCode(body: string): string {
  return body.replace(CODE, ' ')
}

/** The tags of a note: those of the front matter, and those in the text. */
export function tagsOf({ tags, body }: Pick<Note, 'tags' | 'body'>): readonly string[] {
  const inline = [...withoutCode(body).matchAll(INLINE_TAG)].flatMap(([, tag]) => tag ?? [])
  return [...new Set([...tags, ...inline])]
}

const LONGEST = 16_384

const DEEPEST = 8

const FENCE = /^---[ \t]*$/

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

type Split = { readonly properties: Properties | undefined; readonly body: string }

/**
 * Splits a Markdown text into front matter and body. Front matter that cannot be parsed stays in
 * the body, so that nothing is lost.
 */
function splitFrontMatter(text: string): Split {
  const whole = { properties: undefined, body: text }
  const [first = '', ...rest] = splitLines(text)
  if (!FENCE.test(stripLineEnd(first))) return whole
  const end = rest.findIndex((line) => FENCE.test(stripLineEnd(line)))
  if (end < 0) return whole
  const block = rest.slice(0, end).join('')
  const properties = block.length > LONGEST ? undefined : readProperties(block)
  return properties === undefined ? whole : { properties, body: rest.slice(end + 1).join('') }
}

/**
 * Puts the front matter before the body. Without properties an empty one is written only when the
 * body would be taken for front matter.
 */
function joinFrontMatter(properties: Properties, body: string): string {
  if (Object.keys(properties).length > 0)
    return `---\n${dump(properties, { lineWidth: -1, noRefs: true })}---\n${body}`
  return /^(?:---|\ufeff)/.test(body) ? `---\n---\n${body}` : body
}

// Lines with their line endings, so that joining them gives the original text.
function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function stripLineEnd(line: string): string {
  return line.replace(/\r?\n$/, '')
}

function readProperties(block: string): Properties | undefined {
  if (block.trim() === '') return {}
  try {
    // Without this limit, YAML aliases let a kilobyte expand to a gigabyte.
    const read: unknown = load(block, { schema: CORE_SCHEMA, maxAliases: 0, maxDepth: DEEPEST })
    return isRecord(read) && isJson(read) ? read : undefined
  } catch {
    return undefined // Not YAML, so it is part of the text.
  }
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
