import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = import.meta.dirname
const JSDOC_OF_EXPORT =
  /\/\*\*(?<text>(?:(?!\*\/).)*)\*\/\n(?:\/\/[^\n]*\n)*export (?:async )?(?:const|function|class|type) (?<name>\w+)/gs
/** The names of `index.ts`, each with the file that declares it. */
function exportedNames(): readonly { name: string; file: string }[] {
  const index = readFileSync(join(source, 'index.ts'), 'utf8')
  return [...index.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, names = '', file = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map((name) => ({ name: name.replace(/^type /, ''), file: join(source, file) })),
  )
}

/** The JSDoc of every declaration that a file exports, by name, without its asterisks. */
function jsdocIn(file: string): ReadonlyMap<string, string> {
  const found = readFileSync(file, 'utf8').matchAll(JSDOC_OF_EXPORT)
  return new Map(
    [...found].map(({ groups }) => [
      groups?.name ?? '',
      (groups?.text ?? '').replaceAll(/^ *\* ?/gm, '').trim(),
    ]),
  )
}

// That the examples compile is checked with those of all pages, in scripts/docs/code-blocks.test.ts.
test('every name of @surehand/core has a description and an example', () => {
  const names = exportedNames()
  const lacking = names.flatMap(({ name, file }) => {
    const text = jsdocIn(file).get(name) ?? ''
    const [description = ''] = text.split('@example')
    return description.trim() !== '' && text.includes('@example') ? [] : [name]
  })
  expect([names.length > 40, lacking]).toEqual([true, []])
})
