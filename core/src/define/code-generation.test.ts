import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const script = join(import.meta.dirname, 'fixtures/call-without-code-generation.ts')

test('a call succeeds where the process may not generate code from strings', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disallow-code-generation-from-strings',
    script,
  ])
  expect(JSON.parse(stdout)).toEqual(['success', 'success', 'success'])
})
