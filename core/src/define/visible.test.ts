import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visibleJson, visibleText } from './visible.ts'

const point = (code: number) => `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`

describe('what changes a reading without being read is spelled out', () => {
  test.each([
    ['right-to-left override', 0x202e],
    ['left-to-right override', 0x202d],
    ['right-to-left embedding', 0x202b],
    ['pop directional formatting', 0x202c],
    ['right-to-left isolate', 0x2067],
    ['pop directional isolate', 0x2069],
    ['right-to-left mark', 0x200f],
    ['Arabic letter mark', 0x061c],
    ['zero width space', 0x200b],
    ['zero width joiner', 0x200d],
    ['zero width non-joiner', 0x200c],
    ['word joiner', 0x2060],
    ['byte order mark', 0xfeff],
    ['tag letter a', 0xe0061],
    ['cancel tag', 0xe007f],
    ['no-break space', 0x00a0],
    ['narrow no-break space', 0x202f],
    ['ideographic space', 0x3000],
    ['en space', 0x2002],
    ['soft hyphen', 0x00ad],
    ['combining grapheme joiner', 0x034f],
    ['Hangul filler', 0x3164],
    ['half-width Hangul filler', 0xffa0],
    ['braille blank', 0x2800],
    ['Mongolian vowel separator', 0x180e],
    ['variation selector 16', 0xfe0f],
    ['variation selector 17', 0xe0100],
    ['line separator', 0x2028],
    ['paragraph separator', 0x2029],
    ['null', 0x0000],
    ['carriage return', 0x000d],
    ['escape', 0x001b],
    ['backspace', 0x0008],
    ['delete', 0x007f],
    ['next line', 0x0085],
    ['private use', 0xe000],
    ['private use beyond the BMP', 0xf0000],
    ['invisible times', 0x2062],
    ['interlinear annotation anchor', 0xfff9],
  ])('%s', (_name, code) => {
    expect(visibleText(`pay${String.fromCodePoint(code)}5`)).toBe(`pay${point(code)}5`)
  })

  test('each of several by itself', () => {
    expect(visibleText('\u202ea\u200b\u200bb\u{e0061}')).toBe('⟨U+202E⟩a⟨U+200B⟩⟨U+200B⟩b⟨U+E0061⟩')
  })
})

describe('what a person reads stays as it is', () => {
  test.each([
    'Book slot 17 for €50?',
    'two\nlines\tand a tab',
    'Grüße, naïve café, e\u0301',
    'Привет, 你好, こんにちは, 한국어',
    'שלום עולם, مرحبا',
    'नमस्ते',
    '😀 🎉 👍🏽 🇩🇪',
    '“quoted” — dash … ellipsis',
    '<b>&amp;</b> {"json": [1]}',
    '',
  ])('%j', (text) => {
    expect(visibleText(text)).toBe(text)
  })

  test('any printable ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(visibleText(text)).toBe(text)
      }),
    )
  })
})

describe('nothing hides', () => {
  test('a text that only looks like one with something spelled out is shown differently', () => {
    const pieces = fc.constantFrom('a', '\u200b', '\u202e', '⟨', '⟩')
    fc.assert(
      fc.property(fc.string({ unit: pieces, minLength: 1 }), (text) => {
        const lookalike = visibleText(text)
        fc.pre(lookalike !== text)
        expect(visibleText(lookalike)).not.toBe(lookalike)
      }),
    )
  })

  test('no key of an input displaces another', () => {
    const shown = visibleJson({ 'to\u200b': 'mallory', 'to⟨U+200B⟩': 'bob' })
    expect(Object.values(shown as object)).toEqual(['mallory', 'bob'])
  })
})

describe('a JSON value', () => {
  test('is made visible in every text and key', () => {
    expect(visibleJson({ 'a\u200b': ['x\u202e', { b: 'y\u00ad' }] })).toEqual({
      'a⟨U+200B⟩': ['x⟨U+202E⟩', { b: 'y⟨U+00AD⟩' }],
    })
  })

  test('keeps its numbers, its booleans, its nulls and its order', () => {
    const value = { z: 1, a: [true, null, -0.5], m: {} }
    expect(JSON.stringify(visibleJson(value))).toBe(JSON.stringify(value))
  })

  test('keeps a key called __proto__ as a key', () => {
    expect(JSON.stringify(visibleJson(JSON.parse('{"__proto__":"x"}')))).toBe('{"__proto__":"x"}')
  })
})
