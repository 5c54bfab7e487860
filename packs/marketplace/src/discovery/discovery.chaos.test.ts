import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmulator } from '@surehand/testing'
import { expect, test } from 'vitest'
import { routes } from './emulators/openai.ts'
import type { SearchOnce } from './fixtures/search-once.ts'

const PROGRAM = join(import.meta.dirname, 'fixtures', 'search-once.ts')

function searchOnce(form: SearchOnce): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(form)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  child.stdout?.setEncoding('utf8').on('data', (text: string) => said.push(text))
  return { child, output: () => said.join('') }
}

test('a node that is killed while it searches has used its call, and no other node searches again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-discovery-crash-'))
  const engine = await startEmulator({ routes })
  try {
    engine.fail({ kind: 'hang', when: 'after' })
    const form = { file: join(folder, 'd.db'), url: engine.url }
    const killed = searchOnce(form)
    while (engine.effects().length === 0) await pause(20)
    killed.child.kill('SIGKILL')
    await once(killed.child, 'close')
    expect(killed.output()).toBe('')
    const next = searchOnce(form)
    await once(next.child, 'close')
    expect(JSON.parse(next.output())).toMatchObject({
      status: 'success',
      data: { engine: 'openai', feed_items: [], reason: 'search_interrupted' },
    })
    expect(engine.effects()).toHaveLength(1)
  } finally {
    await engine.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
