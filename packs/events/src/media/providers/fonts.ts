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

/** In the order of lookup: the first font that has a character draws it. */
export const FONT_STACK = ['Noto Sans', 'Noto Sans Arabic', 'Noto Sans JP', 'Noto Sans KR'] as const
const PACKAGES = ['noto-sans', 'noto-sans-arabic', 'noto-sans-jp', 'noto-sans-kr'] as const

const SubsetIndex = z.record(z.string(), z.string())
const resolve = createRequire(import.meta.url).resolve

/** The characters that can be drawn, and the font files for them. */
export type Fonts = {
  /**
   * The text without symbols that no font has (mostly emoji). Throws for a letter without a font: a
   * poster with missing letters is useless.
   */
  readonly drawable: (text: string) => string
  /** The font files for the characters of a text. */
  readonly load: (text: string) => Promise<readonly LoadedFont[]>
}

/** Opens the fonts of the pack; a file is read when a text needs it. */
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
  const drawn = [...text.normalize('NFC')].filter((character) => {
    if (character === '\n' || subsetOf(character.codePointAt(0) ?? 0) !== undefined) return true
    if (/[\p{L}\p{N}]/u.test(character)) throw noFont(character)
    return false
  })
  return drawn
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
}

function noFont(character: string): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', `There is no font for "${character}".`, {
    effect: 'none',
    suggestions: [
      'Use a script that has a font: Latin, Greek, Cyrillic, Devanagari, Arabic, Japanese or Korean.',
    ],
  })
}
