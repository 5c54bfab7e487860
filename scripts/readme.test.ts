import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const blocks = [
  ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g),
].map((match) => match[1] ?? '')

function runBlock(code: string): string {
  return execFileSync(process.execPath, ['--input-type=module-typescript', '-e', code], {
    cwd: join(root, 'apps/tour'),
    encoding: 'utf8',
  })
}

test('the first code block of the README runs and prints an outcome', () => {
  expect(runBlock(blocks[0] ?? '')).toContain('celsius: 6')
})

test('the write with approval of the README is pending first and books once', () => {
  const output = runBlock(blocks[1] ?? '')
  expect(output).toMatch(/^Nothing has been done yet/)
  expect(output).toContain("{ confirmation: 'ok-slot_7' } replayed")
})
