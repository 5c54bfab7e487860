import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { baseName, cleanFolder, fileNameOf, isNotePath, pathOf } from './file-name.ts'
import { readNote, tagsOf, writeNote } from './markdown-note.ts'
import { cutSnippet } from './note-search.ts'
import { findLinks } from './store-note.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((one) => !one.includes('\u0000'))
const tag = fc.stringMatching(/^[a-zäß0-9_/-]{1,12}$/)
const title = text.map((one) => one.trim()).filter((one) => one !== '' && !/\p{Cc}/u.test(one))
const json = fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 3 }))
const known = new Set([
  'title',
  'tags',
  'tag',
  'aliases',
  'alias',
  '__proto__',
  'constructor',
  'prototype',
])
const properties = fc.dictionary(
  text.filter((key) => key.trim() !== '' && !known.has(key)),
  json,
  { maxKeys: 4, noNullPrototype: true },
)
const body = fc.oneof(
  text,
  fc.constantFrom(
    '---\na: 1\n---\nx',
    '---\n---\n',
    '\ufeff---\n',
    '---',
    'a\r\nb\r\n',
    '# x\n\n---\n',
  ),
)
const note = fc.record({
  title,
  body,
  tags: fc.uniqueArray(tag, { maxLength: 3 }),
  aliases: fc.uniqueArray(
    title.filter((one) => !one.includes(',')),
    { maxLength: 3 },
  ),
  properties,
})

describe('a note', () => {
  test('written to a file and read again is the same note', () => {
    fc.assert(
      fc.property(note, title, (one, name) => {
        expect(readNote(writeNote(one, name), name)).toEqual(one)
      }),
      { numRuns: 2_000 },
    )
  })

  test('is read as Obsidian reads it', () => {
    const read = readNote(
      '---\naliases: Beete\ntags: garden, howto\nrelates_to:\n  - "[[Seed list]]"\ncreated: 2026-01-01\n---\nSee [[Folder/Compost|heap]] and [[#Here]]. #own\n`[[code]]`\n',
      'Beds',
    )
    expect(read).toEqual({
      title: 'Beds',
      body: 'See [[Folder/Compost|heap]] and [[#Here]]. #own\n`[[code]]`\n',
      tags: ['garden', 'howto'],
      aliases: ['Beete'],
      properties: { relates_to: ['[[Seed list]]'], created: '2026-01-01' },
    })
    expect(findLinks(read)).toEqual([
      { title: 'Seed list', key: 'seed list', relation: 'relates_to' },
      { title: 'Compost', key: 'compost', relation: 'links_to' },
    ])
    expect(tagsOf(read)).toEqual(['garden', 'howto', 'own'])
  })

  test.each([
    ['a bomb of aliases', '---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n---\nx'],
    ['no YAML', '---\na: [\n---\nx'],
    ['a list', '---\n- a\n---\nx'],
    ['a number too large', '---\na: 123456789012345678901234567890\n---\nx'],
    ['a tag of another language', '---\na: !!js/function "f"\n---\nx'],
    ['a prototype', '---\n__proto__: { admin: true }\n---\nx'],
    ['no end', '---\na: 1\nx'],
    ['kilobytes', `---\na: ${'x'.repeat(20_000)}\n---\nx`],
  ])('whose front matter is %s keeps it in its text', (_what, raw) => {
    const read = readNote(raw, 'N')
    expect(read).toMatchObject({ body: raw, properties: {}, tags: [] })
    expect(readNote(writeNote(read, 'N'), 'N')).toEqual(read)
  })
})

test('any title gives a file name that is valid on every system, and always the same one', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ maxLength: 60 }),
      (one, folder) => {
        const path = pathOf(cleanFolder(folder), fileNameOf(one))
        expect(isNotePath(path)).toBe(true)
        expect(fileNameOf(baseName(path))).toBe(baseName(path))
        expect(path).not.toMatch(
          /[<>:"\\|?*#^[\]]|\.\.|(^|\/)\.|[. ](\/|\.md$)|(^|\/)(con|nul|aux|prn|com\d|lpt\d)(\.|$)/i,
        )
        expect(Buffer.byteLength(baseName(path))).toBeLessThan(200)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a snippet is valid text around the words', () => {
  const long = `${'😀 '.repeat(200)}the needle is here${' 😀'.repeat(200)}`
  expect(cutSnippet(long, 'NEEDLE')).toContain('needle')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), text, (one, query) =>
      cutSnippet(one, query).isWellFormed(),
    ),
  )
})
