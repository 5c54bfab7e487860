import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const source = import.meta.dirname
const root = join(source, '../..')
const JSDOC_OF_EXPORT =
  /\/\*\*(?<text>(?:(?!\*\/).)*)\*\/\n(?:\/\/[^\n]*\n)*export (?:async )?(?:const|function|class|type) (?<name>\w+)/gs
// Every example may use these, besides what @surehand/core exports.
const PRELUDE = `import { z } from 'zod'
import * as core from '@surehand/core'
declare const runtime: core.Runtime
declare const weather: core.Tool<{ city: string }, { celsius: number }>`

/** The names of `index.ts`, each with whether it is a value and the file that declares it. */
function exportedNames(): readonly { name: string; isType: boolean; file: string }[] {
  const index = readFileSync(join(source, 'index.ts'), 'utf8')
  return [...index.matchAll(/^export (type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, isTypeList, names = '', file = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map((name) => ({
          name: name.replace(/^type /, ''),
          isType: isTypeList !== undefined || name.startsWith('type '),
          file: join(source, file),
        })),
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

/** Every `@example` in the comments of a file. */
function examplesIn(file: string): readonly string[] {
  const comments = readFileSync(file, 'utf8').match(/\/\*\*(?:(?!\*\/).)*\*\//gs) ?? []
  return comments
    .map((comment) => comment.slice(3, -2).replaceAll(/^ *\* ?/gm, ''))
    .flatMap((comment) => comment.split(/^@/m).filter((part) => part.startsWith('example')))
    .map((part) => part.replace(/^example\s*/, '').trimEnd())
}

test('every name of @surehand/core has a description and an example', () => {
  const names = exportedNames()
  const lacking = names.flatMap(({ name, file }) => {
    const text = jsdocIn(file).get(name) ?? ''
    const [description = ''] = text.split('@example')
    return description.trim() !== '' && text.includes('@example') ? [] : [name]
  })
  expect([names.length > 40, lacking]).toEqual([true, []])
})

test('every example in core compiles', async () => {
  const names = exportedNames()
  const values = names.filter(({ isType }) => !isType).map(({ name }) => name)
  const types = names.map(({ name }) => name).filter((name) => !values.includes(name))
  const imports = `import { ${values.join(', ')} } from '@surehand/core'
import type { ${types.join(', ')} } from '@surehand/core'`
  // in the repository, so that packages resolve as they do for its sources
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'examples-'))
  try {
    const files = globSync(join(source, '**/*.ts')).filter((file) => !/\.test/.test(file))
    const examples = files.flatMap((file) =>
      examplesIn(file).map((code, index) => ({ file: relative(root, file), code, index })),
    )
    for (const { file, code, index } of examples)
      writeFileSync(
        join(folder, `${file.replaceAll(/\W/g, '_')}_${index}.ts`),
        `${PRELUDE}\n${imports}\nexport async function example() {\n${code}\n}\n`,
      )
    const options = { noUnusedLocals: false, noUnusedParameters: false, lib: ['es2025', 'dom'] }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: options,
        include: ['*.ts'],
        exclude: [],
      }),
    )
    const checked = await promisify(execFile)(
      join(root, 'node_modules/.bin/tsc'),
      ['--noEmit', '-p', folder],
      { cwd: folder },
    ).catch((failed: { readonly stdout: string }) => failed)
    expect([examples.length > 40, checked.stdout]).toEqual([true, ''])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
