import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, createApp, resolveLocalCaller } from './app.ts'
import { readConfig } from './config/read-config.ts'
import { vendorPack } from './fixtures/vendor-pack.ts'

const GUIDE = join(import.meta.dirname, '../../../docs/guides/backup.md')

/** The guide's commands that a marker says are run here. */
function guideBlocks(): string[] {
  const marked =
    /<!-- apps\/server\/src\/backup\.test\.ts runs this block as it stands -->\n```sh\n(.*?)```/gs
  return [...readFileSync(GUIDE, 'utf8').matchAll(marked)].map(([, block = '']) => block)
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'surehand-backup-'))
  mkdirSync(join(folder, 'vault'))
})
afterAll(() => rmSync(folder, { recursive: true }))

// the reader's npx node is ours, and their other place a folder
async function follow(block: string): Promise<void> {
  const commands = block
    .replaceAll('npx node', process.execPath)
    .replaceAll('/media/vault', join(folder, 'vault'))
  await promisify(execFile)('sh', ['-ec', commands], { cwd: folder })
}

async function open(data: string, make: (key: string) => string): Promise<App> {
  const config = await readConfig({ env: {}, folder, overrides: { data } })
  const providers = {
    maker: { make: async ({ key }: { readonly key: string }) => ({ receipt: make(key) }) },
  }
  return createApp({ ...config, packs: [vendorPack], providers })
}

async function call(app: App, idempotencyKey: string) {
  const caller = await resolveLocalCaller(app, {})
  const outcome = await app.runtime.call({
    tool: 'vendor.make',
    input: { idempotencyKey },
    caller,
    surface: 'cli',
  })
  if (outcome.status !== 'done') throw new Error(`${idempotencyKey}: ${outcome.status}`)
  return { data: outcome.data, source: outcome.source }
}

test('a copy that was made while calls were made, restored elsewhere, verifies and answers old keys the same', async () => {
  const [save, saveKeys, restore] = guideBlocks() as [string, string, string]
  const made: string[] = []
  const app = await open('.surehand', (key) => `made-${made.push(key)}`)
  app.startMaintenance()
  const heads = join(folder, '.surehand/audit-heads.jsonl')
  const answers = new Map<string, unknown>()
  let isCalling = true
  const calling = (async () => {
    for (let count = 0; isCalling; count++)
      answers.set(`key-${count}`, (await call(app, `key-${count}`)).data)
  })()
  await expect
    .poll(() => answers.size > 40 && existsSync(heads) && statSync(heads).size > 0)
    .toBe(true)
  const before = new Map(answers)
  await follow(save)
  await follow(saveKeys)
  const during = answers.size
  await expect.poll(() => answers.size).toBeGreaterThan(during + 10)
  isCalling = false
  await calling
  await app.close()

  await follow(restore)
  const again: string[] = []
  const restored = await open('restored', (key) => `again-${again.push(key)}`)
  const verdict = (await restored.audit.verify?.('home')) as {
    readonly kind: string
    readonly anchoredSize: number
  }
  expect([verdict.kind, verdict.anchoredSize > 0]).toEqual(['intact', true])
  for (const [key, data] of before)
    expect(await call(restored, key)).toEqual({ data, source: 'replayed' })
  expect(again).toEqual([])
  // the guide says it: what came after the copy is not known any more
  expect(await call(restored, `key-${answers.size - 1}`)).toMatchObject({ source: 'executed' })
  await restored.close()
})
