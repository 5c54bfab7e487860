import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCaller } from '@surehand/identity'
import { beforeEach, expect, test, vi } from 'vitest'
import { createApp } from '../app.ts'
import { readConfig } from '../config/read-config.ts'
import { rotateKeys } from '../keys.ts'
import { runCredentials } from './credentials.ts'
import { runDoctor } from './doctor.ts'
import { runWebhooks } from './webhooks.ts'
import type { RunCommand } from './with-app.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'surehand-lost-key-'))
})

async function put(credential: string, webhook: string): Promise<void> {
  const app = await createApp(
    await readConfig({ env: { SUREHAND_DATA: data, SUREHAND_LOG_LEVEL: 'silent' }, folder: data }),
  )
  const by = systemCaller('home')
  await app.imports.credentials.put(by, credential, {
    kind: 'bearer',
    origins: ['https://api.example'],
    token: 'a long token',
  })
  const value = {
    url: `https://${webhook}.example/`,
    secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
  }
  await app.runtime.administration.change(by, { kind: 'webhook', id: webhook, value })
  await app.close()
}

/**
 * Takes the oldest key out of the file, as somebody does who thinks that everything was sealed
 * anew.
 */
function loseOldKey(): void {
  const file = join(data, 'keys.json')
  const kept = JSON.parse(readFileSync(file, 'utf8')) as { masters: unknown[] }
  writeFileSync(file, JSON.stringify({ ...kept, masters: kept.masters.slice(0, 1) }), {
    mode: 0o600,
  })
}

async function saidBy(run: RunCommand, ...args: readonly string[]): Promise<string> {
  let said = ''
  const sink = { write: (text: string) => (said += text) }
  vi.stubEnv('SUREHAND_LOG_LEVEL', 'silent')
  // erased: these commands write to a terminal and read nothing from it
  await run(args, { stdout: sink, stderr: sink } as never, { data, as: 'ann' } as never)
  vi.unstubAllEnvs()
  return said
}

test('what one lost key closed is named with the way to fix it by the lists and the doctor, and all else is listed as it was', async () => {
  await put('shop.old', 'deaf')
  rotateKeys(join(data, 'keys.json'))
  await put('shop.new', 'hears')
  loseOldKey()
  const credentials = await saidBy(runCredentials)
  expect(credentials).toMatch(/shop\.new +bearer +https:\/\/api\.example/)
  expect(credentials).toMatch(
    /shop\.old +unreadable\n +The credential "shop\.old" cannot be decrypted\./,
  )
  expect(credentials).toContain('surehand credentials set shop.old')
  const webhooks = await saidBy(runWebhooks)
  expect(webhooks).toMatch(/deaf +The stored webhook "deaf" does not open\./)
  expect(webhooks).toMatch(/hears +https:\/\/hears\.example/)
  const doctor = await saidBy(runDoctor)
  expect(doctor).toMatch(/BAD credential +The credential "shop\.old" cannot be decrypted\./)
  expect(doctor).toMatch(/BAD webhook +The stored webhook "deaf" does not open\./)
  expect(doctor).not.toContain('shop.new')
  expect(doctor).toContain('2 problems to fix.')
})
