import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ToolError } from '@surehand/core'
import { z } from 'zod'

type Range = readonly [first: number, last: number]
type Subset = { readonly family: string; readonly file: string; readonly ranges: readonly Range[] }

/** A font file with the characters it is for. */
export type LoadedFont = {
  readonly name: string
  readonly data: Uint8Array
  readonly unicodeRange: [number, number][]
}

/** In the order they are asked: the first that has a character draws it. */
export const FONT_STACK = ['Noto Sans', 'Noto Sans Arabic', 'Noto Sans JP', 'Noto Sans KR'] as const
const PACKAGES = ['noto-sans', 'noto-sans-arabic', 'noto-sans-jp', 'noto-sans-kr'] as const

const SubsetIndex = z.record(z.string(), z.string())
const resolve = createRequire(import.meta.url).resolve

/** What can be drawn, and with which files. */
export type Fonts = {
  /**
   * The text without what no font has (emoji, mostly). Letters that can't be drawn are refused: a
   * poster with holes is none.
   */
  readonly drawable: (text: string) => string
  /** The files that the characters of a text are in. */
  readonly load: (text: string) => Promise<readonly LoadedFont[]>
}

/** Opens the fonts that come with the pack; the files are read when a text needs them. */
export async function openFonts(): Promise<Fonts> {
  const subsets = (await Promise.all(PACKAGES.map(readSubsets))).flat()
  const subsetOf = (codePoint: number): Subset | undefined =>
    subsets.find(({ ranges }) =>
      ranges.some(([first, last]) => codePoint >= first && codePoint <= last),
    )
  return {
    drawable: (text) => drawable(text, subsetOf),
    load(text) {
      const found = new Set(
        [...text].flatMap((character) => subsetOf(character.codePointAt(0) ?? 0) ?? []),
      )
      return Promise.all([...found].map(loadSubset))
    },
  }
}

async function readSubsets(
  name: (typeof PACKAGES)[number],
  index: number,
): Promise<readonly Subset[]> {
  const folder = dirname(resolve(`@fontsource-variable/${name}/package.json`))
  const listed = SubsetIndex.parse(JSON.parse(await readFile(join(folder, 'unicode.json'), 'utf8')))
  return Object.entries(listed).map(([subset, ranges]) => ({
    family: FONT_STACK[index] ?? name,
    file: join(folder, 'files', `${name}-${subset.replace(/[[\]]/g, '')}-wght-normal.woff2`),
    ranges: ranges.split(',').map(readRange),
  }))
}

// `U+0460-052F` or `U+20B4`
function readRange(text: string): Range {
  const [first = '', last = first] = text.replace('U+', '').split('-')
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
}

async function loadSubset({ family, file, ranges }: Subset): Promise<LoadedFont> {
  return {
    name: family,
    data: await readFile(file),
    unicodeRange: ranges.map(([first, last]) => [first, last]),
  }
}

function drawable(text: string, subsetOf: (codePoint: number) => Subset | undefined): string {
  const kept = [...text.normalize('NFC')].filter((character) => {
    if (character === '\n' || subsetOf(character.codePointAt(0) ?? 0) !== undefined) return true
    if (/[\p{L}\p{N}]/u.test(character)) throw noFont(character)
    return false
  })
  return kept
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
}

function noFont(character: string): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', `There is no font here for "${character}".`, {
    effect: 'none',
    suggestions: [
      'Write it in a script there is a font for: Latin, Greek, Cyrillic, Devanagari, Arabic, Japanese or Korean.',
    ],
  })
}
