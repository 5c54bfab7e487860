import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { findShellProblem, readCommands } from './check-shell.ts'
import { compilePieces, type Piece, pieceOf } from './compile-blocks.ts'
import { type CodeBlock, findBlocks, listPages, ROOT } from './markdown.ts'

// Every block of code on every page is compiled, parsed, or compared with what exists. Blocks that
// only show something (a drawing, an output, SQL of a database of yours) have one of these languages.
const SHOWN = new Set(['', 'html', 'sql', 'markdown', 'text', 'ini', 'yaml'])

const blocks = listPages().flatMap((page) =>
  findBlocks(page, readFileSync(join(ROOT, page), 'utf8')),
)
const blocksIn = (...languages: readonly string[]): CodeBlock[] =>
  blocks.filter(({ language }) => languages.includes(language))

/** Every `@example` in the comments of core, as a function of its own. */
function findExamples(): Piece[] {
  const source = join(ROOT, 'core/src')
  const index = readFileSync(join(source, 'index.ts'), 'utf8')
  const names = [...index.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(
    ([, type, list = '']) =>
      list
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map((name) => (type === undefined ? name : `type ${name}`)),
  )
  const head = `import { z } from 'zod'\nimport { ${names.join(', ')} } from '@surehand/core'`
  return globSync(join(source, '**/*.ts'))
    .filter((file) => !/\.test/.test(file))
    .flatMap((file) => {
      const comments = readFileSync(file, 'utf8').match(/\/\*\*(?:(?!\*\/).)*\*\//gs) ?? []
      return comments
        .map((comment) => comment.slice(3, -2).replaceAll(/^ *\* ?/gm, ''))
        .flatMap((comment) => comment.split(/^@/m).filter((part) => part.startsWith('example')))
        .map((part) => ({
          at: relative(ROOT, file),
          code: `${head}\nexport async function example() {\n${part.replace(/^example\s*/, '')}\n}\n`,
        }))
    })
}

test('every block of TypeScript on a page, and every example in core, compiles; a wrong one is found', async () => {
  const shown = blocksIn('ts', 'js').map(pieceOf)
  const examples = findExamples()
  expect([shown.length > 50, examples.length > 40]).toEqual([true, true])
  // In the same run, because a run takes seconds: a block with its hidden setup around it.
  const page =
    '# P\n\n<!-- compile:\nconst contract = {\nBLOCK\n}\n-->\n```ts\neffect: 7 + missing,\n```\n'
  const wrong = findBlocks('page.md', page)
  expect(wrong).toMatchObject([{ line: 8, language: 'ts', code: 'effect: 7 + missing,\n' }])
  expect(await compilePieces([...shown, ...examples, ...wrong.map(pieceOf)])).toEqual([
    expect.stringMatching(/^page\.md:8\(.*Cannot find name 'missing'/),
  ])
})

test('every block of JSON is JSON', () => {
  const wrong = blocksIn('json').filter(({ code }) => {
    try {
      JSON.parse(code)
      return false
    } catch {
      return true
    }
  })
  expect(wrong.map(({ page, line }) => `${page}:${line}`)).toEqual([])
})

test('every command on a page exists, with its actions, flags, tools, scripts and files', () => {
  const shells = blocksIn('sh', 'bash')
  const problems = shells.flatMap(({ page, line, code }) =>
    readCommands(code).flatMap((words) => {
      const problem = findShellProblem(words)
      return problem === undefined ? [] : [`${page}:${line}: ${problem}`]
    }),
  )
  expect(problems).toEqual([])
  const commands = shells.flatMap(({ code }) => readCommands(code))
  expect(commands.length).toBeGreaterThan(100)
  // One shell for all: each block is the body of a function that is never called.
  const bodies = shells.map(({ code }, index) =>
    /^\$ /m.test(code) ? '' : `block${index}() {\n${code}\n}`,
  )
  execFileSync('bash', ['-n'], { input: bodies.join('\n') })
})

test.each([
  ['surehand serv', 'surehand has no command serv'],
  ['npx surehand tokens make ann', 'surehand tokens has no action make'],
  ['surehand serve --prt 1', 'surehand serve has no flag --prt'],
  ['surehand call shop.sell', 'there is no tool shop.sell'],
  ['npm run nothing', 'npm has no script nothing'],
  ['npx vitest run no/such/folder', 'there is no no/such/folder'],
  ['A=b chmood 600 x', 'chmood is not a program that our pages use'],
])('a wrong command is found: %s', (line, problem) => {
  expect(readCommands(line).map(findShellProblem)).toEqual([problem])
})

test('a block in any other language only shows something', () => {
  const checked = new Set(['ts', 'js', 'json', 'sh', 'bash'])
  const unknown = blocks.filter(({ language }) => !checked.has(language) && !SHOWN.has(language))
  expect(unknown.map(({ page, line, language }) => `${page}:${line} ${language}`)).toEqual([])
  // Transcripts are written by a test of their own.
  const shown = blocks.filter(
    ({ page, language }) => SHOWN.has(language) && !page.startsWith('docs/transcripts/'),
  )
  expect(shown.length).toBeLessThan(40)
})
