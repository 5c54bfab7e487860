import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCaller } from '@surehand/identity'
import { beforeEach, describe, expect, test } from 'vitest'
import { type App, createApp } from '../app.ts'
import { readConfig } from '../config/read-config.ts'
import { rotateKeys } from '../keys.ts'
import { runKeys } from './keys.ts'

let data: string
let said: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'surehand-keys-'))
  said = ''
})

const keysFile = () => join(data, 'keys.json')
const sink = { write: (text: string) => (said += text) }

// erased: the command writes to a terminal and reads nothing from it
const surehandKeys = (...args: readonly string[]) =>
  runKeys(args, { stdout: sink, stderr: sink } as never, { data } as never)

async function withApp<T>(work: (app: App) => Promise<T>): Promise<T> {
  const app = await createApp(
    await readConfig({ env: { SUREHAND_DATA: data, SUREHAND_LOG_LEVEL: 'silent' }, folder: data }),
  )
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

function put(app: App, tenant: string, id = 'shop.token'): Promise<unknown> {
  const form = { kind: 'bearer', origins: ['https://api.example'], token: `the token of ${tenant}` }
  return app.imports.credentials.put(systemCaller(tenant), id, form)
}

/** Keeps so many of the newest master keys. */
function keepNewest(count: number): void {
  const file = JSON.parse(readFileSync(keysFile(), 'utf8')) as { masters: unknown[] }
  writeFileSync(keysFile(), JSON.stringify({ ...file, masters: file.masters.slice(0, count) }), {
    mode: 0o600,
  })
}

describe('keys that are rotated', () => {
  test('seal the credentials of every tenant anew: the newest key alone opens them', async () => {
    await withApp(async (app) => {
      await app.identityApi.tenants.put(systemCaller('home'), 'other', { name: 'Other' })
      await put(app, 'home')
      await put(app, 'other')
    })
    expect(await surehandKeys('rotate')).toBe(0)
    expect(said).toContain('2 credentials and tokens were encrypted with the newest key.')
    keepNewest(1)
    const ends = await withApp(({ imports }) =>
      Promise.all(['home', 'other'].map((tenant) => imports.vault.reseal(tenant))),
    )
    expect(ends).toEqual([1, 2].map(() => ({ resealed: 0, current: 1, unopened: [] })))
  })

  test('in a file for elsewhere leave this app alone, and say what to do there', async () => {
    await withApp((app) => put(app, 'home'))
    const elsewhere = join(mkdtempSync(join(tmpdir(), 'surehand-keys-')), 'keys.json')
    await surehandKeys('new', elsewhere)
    expect(await surehandKeys('rotate', elsewhere)).toBe(0)
    expect(said).toContain('"surehand keys reseal"')
    expect(await withApp(({ imports }) => imports.vault.reseal('home'))).toMatchObject({
      current: 1,
    })
  })

  test('by a command that was cut off are put to use by the next one', async () => {
    await withApp((app) => put(app, 'home'))
    rotateKeys(keysFile())
    expect(await surehandKeys('reseal')).toBe(0)
    expect(said).toContain('1 credentials and tokens were encrypted')
    expect(await withApp(({ imports }) => imports.vault.reseal('home'))).toEqual({
      resealed: 0,
      current: 1,
      unopened: [],
    })
  })

  test('seal everything else anew though the key of one credential is lost, and name that one', async () => {
    await withApp((app) => put(app, 'home'))
    rotateKeys(keysFile())
    await withApp(async (app) => {
      await app.identityApi.tenants.put(systemCaller('home'), 'other', { name: 'Other' })
      await put(app, 'other')
      await put(app, 'home', 'shop.second')
    })
    keepNewest(1)
    expect(await surehandKeys('rotate')).toBe(1)
    expect(said).toContain('2 credentials and tokens were encrypted')
    expect(said).toContain('left unchanged: vault:shop.token of home. Set them again')
  })

  test('are not made where a name is misspelled', async () => {
    await withApp((app) => put(app, 'home'))
    const misspelled = join(data, 'kyes.json')
    await expect(surehandKeys('reseal', misspelled)).rejects.toThrow('There are no keys at')
    expect(existsSync(misspelled)).toBe(false)
  })
})
