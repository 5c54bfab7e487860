import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeClock, settle } from '@surehand/conformance'
import {
  type Caller,
  createRuntime,
  definePack,
  memoryStores,
  type Stores,
  ToolError,
  toEnvelope,
} from '@surehand/core'
import type { ForeignSource } from '@surehand/core/host'
import { sha256 } from '@surehand/core/internal'
import { foreignSchemas } from '@surehand/json-schema'
import { afterEach, describe, expect, test } from 'vitest'
import { listKind } from './fixtures/list-kind.ts'
import { createImports } from './imports.ts'
import { createImportsApi } from './imports-api.ts'
import { diskCache, type PreparedCache } from './prepared-cache.ts'
import { watchImports } from './watch-imports.ts'

const ann: Caller = {
  tenant: 'acme',
  principal: 'ann',
  actor: 'user',
  roles: ['admin', 'user'],
  capabilities: [],
}
const bob: Caller = { ...ann, tenant: 'other', principal: 'bob' }
const FIRST = JSON.stringify([
  { name: 'look', description: 'Looks.' },
  { name: 'find', description: 'Finds.' },
])
const CHANGED = JSON.stringify([
  { name: 'look', description: 'Looks!' },
  { name: 'find', description: 'Finds.' },
  { name: 'take', description: 'Takes.' },
])
const signal = new AbortController().signal
const clock = fakeClock()

type Place = Parameters<typeof listKind>[0]
const place = (): Place => ({ document: FIRST, calls: [], prepared: 0 })

const limits = {
  sources: [{ kinds: ['list'], called: 'lists', most: 3, setting: 'mostLists' }],
  bytes: { most: 1_000, setting: 'mostBytes' },
}

function openNode(stores: Stores, where: Place, cache?: PreparedCache) {
  const imports = createImports({
    admin: stores.admin,
    values: stores.values,
    clock,
    kinds: [listKind(where)],
    schemas: foreignSchemas({ onLoss: () => undefined }),
    ...(cache === undefined ? {} : { cache }),
  })
  const runtime = createRuntime({
    packs: [definePack({ name: 'none', tools: [] })],
    stores,
    clock,
    tenantTools: imports,
  })
  const parts = { administration: runtime.administration, imports, limits }
  const call = async (tool: string, caller = ann) =>
    toEnvelope(await runtime.call({ tool, input: {}, caller, surface: 'test' }))
  return { imports, runtime, api: createImportsApi(parts), parts, call }
}

const form = { kind: 'list', from: { url: 'https://tools.example' } }

describe('a source that an administrator imported', () => {
  test('has tools that only its own tenant can call', async () => {
    const where = place()
    const { api, call, runtime } = openNode(memoryStores({ clock }), where)
    const { view, report } = await api.add(ann, 'shop', form, signal)
    expect([view.tools, view.held, report.operations]).toEqual([2, [], 2])
    expect((await call('shop.look')).data).toEqual({ answered: 'shop.look' })
    expect((await call('shop.look', bob)).error?.code).toBe('TOOL_NOT_FOUND')
    expect((await runtime.visibleTools(ann)).map(({ id }) => id)).toEqual([
      'shop.find',
      'shop.look',
    ])
    expect(where.calls.map(({ caller }) => caller.principal)).toEqual(['ann'])
  })

  test('can be imported by administrators, not by agents or other people', async () => {
    const { api, imports } = openNode(memoryStores({ clock }), place())
    for (const by of [
      { ...ann, actor: 'ai_agent' as const },
      { ...ann, roles: ['user'] },
    ]) {
      await expect(api.add(by, 'shop', form, signal)).rejects.toThrow(/administ/i)
      await expect(api.preview(by, 'shop', form, signal)).rejects.toThrow(/administ/i)
    }
    expect(imports.list('acme').size).toBe(0)
  })

  test('has a name that can be the namespace of its tools', async () => {
    const { api } = openNode(memoryStores({ clock }), place())
    for (const name of ['', 'Shop', 'a.b', '__proto__', 'a__b', 'a_', 'x'.repeat(25)])
      await expect(api.add(ann, name, form, signal)).rejects.toThrow(
        'must begin with a lower-case letter',
      )
  })

  test('is not called like a pack or like Surehand itself', async () => {
    const { parts } = openNode(memoryStores({ clock }), place())
    const api = createImportsApi({ ...parts, isReserved: (name) => name === 'tools' })
    await expect(api.add(ann, 'tools', form, signal)).rejects.toThrow(
      'The name "tools" is used by Surehand itself or by a pack.',
    )
    await expect(api.preview(ann, 'tools', form, signal)).rejects.toThrow('Choose another one')
    expect(await api.list(ann)).toEqual([])
  })

  test('that can no longer be read leaves the others as they are, and says so', async () => {
    const stores = memoryStores({ clock })
    const { api } = openNode(stores, place())
    await api.add(ann, 'shop', form, signal)
    const { view } = await api.add(ann, 'broken', { ...form, document: '[]' }, signal)
    await stores.values.delete('acme', `surehand.document:${view.document}`)
    const later = openNode(stores, place())
    expect((await later.call('shop.look')).status).toBe('success')
    expect(
      (await later.api.list(ann)).map(({ name, tools, trouble }) => ({ name, tools, trouble })),
    ).toEqual([
      { name: 'broken', tools: 0, trouble: expect.stringContaining('is no longer stored') },
      { name: 'shop', tools: 2, trouble: undefined },
    ])
  })

  test('is gone when it is removed', async () => {
    const { api, call } = openNode(memoryStores({ clock }), place())
    await api.add(ann, 'shop', form, signal)
    await call('shop.look')
    await api.remove(ann, 'shop')
    expect((await call('shop.look')).error?.code).toBe('TOOL_NOT_FOUND')
  })
})

describe("a tenant's imports", () => {
  const padTo = (length: number) =>
    JSON.stringify([{ name: 'look', description: 'x'.repeat(length) }])

  test('are limited in number; one of the same name counts once, and other tenants have limits of their own', async () => {
    const { api, imports } = openNode(memoryStores({ clock }), place())
    for (const name of ['one', 'two', 'three', 'three']) await api.add(ann, name, form, signal)
    await expect(api.add(ann, 'four', form, signal)).rejects.toMatchObject({
      code: 'TOOL_GATE_CLOSED',
      details: { limit: 3, present: 3 },
      suggestions: [expect.stringContaining('import remove'), expect.stringContaining('mostLists')],
    })
    expect(imports.list('acme').size).toBe(3)
    await api.add(bob, 'four', form, signal)
    await api.remove(ann, 'one')
    await api.add(ann, 'four', form, signal)
  })

  test('are limited in bytes, over all documents, on every node', async () => {
    const stores = memoryStores({ clock })
    await openNode(stores, place()).api.add(ann, 'one', { ...form, document: padTo(600) }, signal)
    const { api } = openNode(stores, place())
    const listRefusals = { code: 'TOOL_INPUT_TOO_LARGE', details: { max_bytes: 1_000 } }
    await expect(
      api.add(ann, 'two', { ...form, document: padTo(500) }, signal),
    ).rejects.toMatchObject(listRefusals)
    await api.add(ann, 'one', { ...form, document: padTo(300) }, signal)
    await api.add(ann, 'two', { ...form, document: padTo(500) }, signal)
    expect((await api.list(ann)).map(({ name }) => name)).toEqual(['one', 'two'])
  })

  test('stay as they were when a document grows over the limit', async () => {
    const where = place()
    const { api, call } = openNode(memoryStores({ clock }), where)
    await api.add(ann, 'shop', form, signal)
    where.document = padTo(2_000)
    await expect(api.refresh(ann, 'shop', signal)).rejects.toMatchObject({
      code: 'TOOL_INPUT_TOO_LARGE',
    })
    expect((await call('shop.look')).status).toBe('success')
  })

  test('report a refused document on every node, with suggestions, until it fits again, is as it was, or is imported again', async () => {
    const where = place()
    const stores = memoryStores({ clock })
    const [here, there] = [openNode(stores, where), openNode(stores, place())]
    const listRefusals = async () => [
      (await there.api.list(ann))[0]?.refused,
      (await there.api.get(ann, 'shop')).refused,
    ]
    const grow = async () => {
      where.document = padTo(2_000)
      await here.api.refresh(ann, 'shop', signal).catch(() => undefined)
      const expected = {
        says: "changed at its source, not stored: with the tenant's other documents 0.0 MB of at most 0.0",
        mend: expect.arrayContaining([expect.stringContaining('mostBytes')]),
      }
      expect(await listRefusals()).toEqual([expected, expected])
    }
    await here.api.add(ann, 'shop', form, signal)
    for (const fitting of [FIRST, CHANGED]) {
      await grow()
      where.document = fitting
      await here.api.refresh(ann, 'shop', signal)
      expect(await listRefusals()).toEqual([undefined, undefined])
    }
    await grow()
    await here.api.add(ann, 'shop', { ...form, document: CHANGED }, signal)
    expect(await listRefusals()).toEqual([undefined, undefined])
  })

  test('report a refused document that the watcher fetched', async () => {
    const where = place()
    const { api, parts } = openNode(memoryStores({ clock }), where)
    await api.add(ann, 'shop', { ...form, refreshSeconds: 30 }, signal)
    const stop = watchImports({
      ...parts,
      clock,
      tenants: async () => ['acme'],
      onTrouble: () => undefined,
    })
    await clock.advance(1_000)
    where.document = padTo(2_000)
    for (let seconds = 0; seconds < 40; seconds++) await clock.advance(1_000)
    expect((await api.get(ann, 'shop')).refused?.says).toContain(
      'changed at its source, not stored',
    )
    await stop()
  })

  test('store one refusal however often the document is fetched, and none for an error of the store', async () => {
    const where = place()
    const stores = memoryStores({ clock })
    const written: string[] = []
    let trouble: ToolError | undefined
    const values: Stores['values'] = {
      ...stores.values,
      get: async (tenant, key) => {
        if (trouble !== undefined && key === `surehand.document:${sha256(FIRST)}`) throw trouble
        return stores.values.get(tenant, key)
      },
      set: async (tenant, key, value) => {
        if (key.startsWith('surehand.refused-document:')) written.push(value)
        return stores.values.set(tenant, key, value)
      },
    }
    const before = openNode(stores, where)
    await before.api.add(ann, 'other', form, signal)
    await before.api.add(ann, 'shop', { ...form, document: padTo(10) }, signal)
    where.document = CHANGED
    await before.api.refresh(ann, 'other', signal)
    const { api } = openNode({ ...stores, values }, where)
    const refresh = () => api.refresh(ann, 'shop', signal).catch(() => undefined)
    trouble = new ToolError('TOOL_STORAGE_ERROR', 'The database is out of reach.')
    await refresh()
    expect(written).toEqual([])
    trouble = undefined
    where.document = padTo(2_000)
    for (let time = 0; time < 3; time++) await refresh()
    expect(written).toHaveLength(1)
  })

  test('are counted with their settings', async () => {
    const { api } = openNode(memoryStores({ clock }), place())
    const settings = { overlay: 'x'.repeat(400) }
    const refused = { code: 'TOOL_INPUT_TOO_LARGE' }
    await expect(
      api.add(ann, 'one', { ...form, document: padTo(700), settings }, signal),
    ).rejects.toMatchObject(refused)
    await api.add(ann, 'one', { ...form, document: padTo(200), settings }, signal)
    await expect(
      api.add(ann, 'two', { ...form, document: padTo(400) }, signal),
    ).rejects.toMatchObject(refused)
    await api.add(ann, 'two', { ...form, document: padTo(100) }, signal)
  })

  test('are quarantined when they change near the limit: the replaced document is not counted', async () => {
    const where = { ...place(), document: padTo(800) }
    const { api, call } = openNode(memoryStores({ clock }), where)
    await api.add(ann, 'shop', form, signal)
    where.document = padTo(810)
    expect((await api.refresh(ann, 'shop', signal)).held.map(({ id }) => id)).toEqual(['shop.look'])
    expect((await call('shop.look')).error?.code).toBe('TOOL_TEMPORARILY_DISABLED')
  })

  test('leave nothing behind when importing fails', async () => {
    const stores = memoryStores({ clock })
    const { api, parts } = openNode(stores, place())
    const unopened = JSON.stringify([{ name: '', description: 'Has no name.' }])
    await expect(api.add(ann, 'shop', { ...form, document: unopened }, signal)).rejects.toThrow()
    const change = () =>
      Promise.reject(new ToolError('TOOL_STORAGE_ERROR', 'The store does not answer.'))
    const unwritten = createImportsApi({
      ...parts,
      administration: { ...parts.administration, change },
    })
    await expect(unwritten.add(ann, 'shop', form, signal)).rejects.toThrow('does not answer')
    const kept = [unopened, FIRST].map((document) =>
      stores.values.get('acme', `surehand.document:${sha256(document)}`),
    )
    expect(await Promise.all(kept)).toEqual([undefined, undefined])
  })

  test.each(['this node', 'another node'])(
    'keeps its document while %s replaces a source that was made of the same',
    async (who) => {
      const stores = memoryStores({ clock })
      const found = Promise.withResolvers<void>()
      let isFound = false
      const values = {
        ...stores.values,
        get: async (tenant: string, key: string) => {
          const kept = await stores.values.get(tenant, key)
          if (isFound) {
            isFound = false
            await found.promise
          }
          return kept
        },
      }
      const here = openNode({ ...stores, values }, place())
      const other = who === 'this node' ? here : openNode(stores, place())
      const { view } = await here.api.add(ann, 'one', form, signal)
      isFound = true
      const adding = here.api.add(ann, 'two', form, signal)
      await settle()
      const replacing = other.api.add(ann, 'one', { ...form, document: CHANGED }, signal)
      await settle()
      found.resolve()
      expect((await adding).view.tools).toBe(2)
      await replacing
      expect(await stores.values.get('acme', `surehand.document:${view.document}`)).toBeDefined()
      expect((await openNode(stores, place()).call('two.look')).status).toBe('success')
    },
  )

  test('leave nothing of a replaced document', async () => {
    const stores = memoryStores({ clock })
    const { api } = openNode(stores, place())
    const first = (await api.add(ann, 'shop', { ...form, document: padTo(10) }, signal)).view
      .document
    await api.add(ann, 'shop', { ...form, document: padTo(20) }, signal)
    expect(await stores.values.get('acme', `surehand.document:${first}`)).toBeUndefined()
  })
})

describe('a source that has changed', () => {
  async function openChanged() {
    const where = place()
    const stores = memoryStores({ clock })
    const [here, there] = [openNode(stores, where), openNode(stores, where)]
    await here.api.add(ann, 'shop', form, signal)
    expect((await there.call('shop.look')).status).toBe('success')
    where.document = CHANGED
    const view = await here.api.refresh(ann, 'shop', signal)
    await clock.advance(5_000)
    return { where, here, there, view }
  }

  test('is quarantined on every node, tool by tool, with the changes in words', async () => {
    const { here, there, view } = await openChanged()
    for (const node of [here, there]) {
      expect((await node.call('shop.look')).error?.message).toBe(
        'shop.look is quarantined: it has changed since ann accepted it.',
      )
      expect((await node.call('shop.take')).error?.message).toContain(
        'it is new since its source was accepted',
      )
      expect((await node.call('shop.find')).status).toBe('success')
    }
    expect(
      view.held.map(({ id, differences }) => ({ id, differences: differences.at(-1) })),
    ).toEqual([
      { id: 'shop.look', differences: 'description: "Looks." became "Looks!"' },
      { id: 'shop.take', differences: undefined },
    ])
  })

  test('works again when an administrator has reviewed and accepted it', async () => {
    const { here, there, view } = await openChanged()
    const accepted = await there.api.accept(ann, 'shop', { document: view.document })
    await clock.advance(5_000)
    expect([
      accepted.held,
      (await here.call('shop.look')).status,
      (await here.call('shop.take')).status,
    ]).toEqual([[], 'success', 'success'])
  })

  test('works again tool by tool when only some were accepted', async () => {
    const { here, view } = await openChanged()
    const accepted = await here.api.accept(ann, 'shop', {
      document: view.document,
      tools: ['shop.take'],
    })
    expect(accepted.held.map(({ id }) => id)).toEqual(['shop.look'])
    expect((await here.call('shop.take')).status).toBe('success')
  })

  test('cannot be accepted after reviewing another document, nor by an agent', async () => {
    const { here, where, view } = await openChanged()
    where.document = FIRST.replace('Finds.', 'Hides.')
    await here.api.refresh(ann, 'shop', signal)
    await expect(here.api.accept(ann, 'shop', { document: view.document })).rejects.toThrow(
      'has changed since you reviewed it',
    )
    const { document } = await here.api.get(ann, 'shop')
    await expect(
      here.api.accept({ ...ann, actor: 'ai_agent' }, 'shop', { document }),
    ).rejects.toThrow('Only people may administer a tenant')
  })

  test('and changed back counts as accepted', async () => {
    const { here, where } = await openChanged()
    where.document = FIRST
    expect((await here.api.refresh(ann, 'shop', signal)).held).toEqual([])
  })

  test('is noticed by the watcher when a refresh is due', async () => {
    const where = place()
    const { api, parts, call } = openNode(memoryStores({ clock }), where)
    await api.add(ann, 'shop', { ...form, refreshSeconds: 2 }, signal)
    const stop = watchImports({
      ...parts,
      clock,
      tenants: async () => ['acme'],
      onTrouble: (thrown) => expect.fail(String(thrown)),
    })
    await settle()
    where.document = CHANGED
    for (let second = 0; second < 5; second++) await clock.advance(1_000)
    await settle()
    expect((await call('shop.look')).error?.code).toBe('TOOL_TEMPORARILY_DISABLED')
    await stop()
  })
})

describe('a prepared document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-imports-'))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('is read from disk by the next process, and prepared again when settings or document change', async () => {
    const stores = memoryStores({ clock })
    const { api } = openNode(stores, place(), diskCache(folder))
    await api.add(ann, 'shop', form, signal)
    const next = place()
    const { call, api: later } = openNode(stores, next, diskCache(folder))
    await call('shop.look')
    expect(next.prepared).toBe(0)
    await later.add(ann, 'shop', { ...form, settings: { other: true } }, signal)
    expect(next.prepared).toBeGreaterThan(0)
  })

  test('is prepared again once if its file is damaged', async () => {
    const stores = memoryStores({ clock })
    await openNode(stores, place(), diskCache(folder)).api.add(ann, 'shop', form, signal)
    const file = join(folder, readdirSync(folder)[0] ?? '')
    writeFileSync(file, readFileSync(file).subarray(0, -5))
    for (const times of [1, 0]) {
      const next = place()
      expect((await openNode(stores, next, diskCache(folder)).call('shop.look')).status).toBe(
        'success',
      )
      expect(next.prepared).toBe(times)
    }
  })

  test('is prepared again if the format of the files has changed, and stays accepted', async () => {
    const stores = memoryStores({ clock })
    const { api } = openNode(stores, place(), diskCache(folder))
    await api.add(ann, 'shop', form, signal)
    const next = { ...place(), format: '2' }
    const { call, api: later } = openNode(stores, next, diskCache(folder))
    expect((await call('shop.look')).data).toEqual({ answered: 'shop.look' })
    expect([next.prepared, (await later.get(ann, 'shop')).held]).toEqual([1, []])
  })
})

describe('special cases', () => {
  test('a temporary error is retried after a while, other errors are not', async () => {
    const stores = memoryStores({ clock })
    await openNode(stores, place()).api.add(ann, 'shop', form, signal)
    for (const [details, tries] of [[{ again_after_ms: 600_000 }, 2] as const, [{}, 1] as const]) {
      const where = {
        ...place(),
        trouble: new ToolError('TOOL_INPUT_TOO_LARGE', 'It takes too long.', { details }),
      }
      const { imports } = openNode(stores, where)
      await imports.load('acme')
      await imports.load('acme')
      expect(where.prepared).toBe(1)
      await clock.advance(600_000)
      await imports.load('acme')
      expect(where.prepared).toBe(tries)
    }
  })

  test('a document that keeps its descriptions but sends its requests elsewhere counts as changed', async () => {
    const where = place()
    const { api, call } = openNode(memoryStores({ clock }), where)
    await api.add(ann, 'shop', form, signal)
    where.document = FIRST.replace('"name":"look",', '"name":"look","leads":"elsewhere",')
    const view = await api.refresh(ann, 'shop', signal)
    expect(view.held).toMatchObject([
      { id: 'shop.look', differences: ['the request that it sends has changed'] },
    ])
    expect((await call('shop.look')).error?.code).toBe('TOOL_TEMPORARILY_DISABLED')
  })

  test('a record that cannot be read leaves the tenant its other tools, and can be removed', async () => {
    const stores = memoryStores({ clock })
    const { api, runtime } = openNode(stores, place())
    await api.add(ann, 'shop', form, signal)
    await runtime.administration.change(ann, {
      kind: 'tool',
      id: 'newer',
      value: { kind: 'list', of: 'a newer release' },
    })
    const later = openNode(stores, place())
    expect((await later.call('shop.look')).status).toBe('success')
    expect((await later.api.list(ann)).find(({ name }) => name === 'newer')?.trouble).toContain(
      'cannot be read',
    )
    await later.api.remove(ann, 'newer')
    expect((await later.api.list(ann)).map(({ name }) => name)).toEqual(['shop'])
  })

  test('an invalid document changes nothing and is reported', async () => {
    const where = place()
    const { api, call } = openNode(memoryStores({ clock }), where)
    await api.add(ann, 'shop', form, signal)
    where.document = '<html>We are back soon.</html>'
    const refusal = { message: expect.stringContaining('no list of tools') }
    await expect(api.refresh(ann, 'shop', signal)).rejects.toMatchObject(refusal)
    // The address is wrong, not the configuration of this server: 400, not 500.
    await expect(api.add(ann, 'other', form, signal)).rejects.toMatchObject({
      ...refusal,
      code: 'TOOL_INVALID_FIELD_VALUE',
    })
    expect((await call('shop.look')).status).toBe('success')
  })

  test('a quarantined tool is compared with the accepted one, also after others were accepted', async () => {
    const where = place()
    const { api } = openNode(memoryStores({ clock }), where)
    await api.add(ann, 'shop', form, signal)
    where.document = CHANGED
    const { document } = await api.refresh(ann, 'shop', signal)
    const view = await api.accept(ann, 'shop', { document, tools: ['shop.take'] })
    expect(view.held.map(({ differences }) => differences)).toEqual([
      expect.arrayContaining(['description: "Looks." became "Looks!"']),
    ])
  })

  test('an import that a crash left incomplete does not block a new one', async () => {
    const { api, runtime } = openNode(memoryStores({ clock }), place())
    await runtime.administration.change(ann, {
      kind: 'pin',
      id: 'shop',
      value: { left: 'by a crash' },
    })
    expect((await api.add(ann, 'shop', form, signal)).view.tools).toBe(2)
  })

  test('a call that was authorized with one version is not executed by the next', async () => {
    const where = place()
    const { api, imports } = openNode(memoryStores({ clock }), where)
    await api.add(ann, 'shop', form, signal)
    const portName = imports.of('acme')[0]?.tool.ports.get('source')?.name ?? ''
    const judged = imports.provider(portName)?.provider as ForeignSource
    where.document = CHANGED
    await api.refresh(ann, 'shop', signal)
    const late = { tool: 'shop.look', input: {}, caller: ann, callId: 'c', idempotencyKey: 'k' }
    await expect(judged.read(late, signal)).rejects.toMatchObject({
      code: 'TOOL_TEMPORARILY_DISABLED',
      effect: 'none',
    })
    expect(where.calls).toEqual([])
  })

  test('accepting does not interrupt calls in progress', async () => {
    const where = place()
    const { api, imports } = openNode(memoryStores({ clock }), where)
    const { view } = await api.add(ann, 'shop', form, signal)
    const before = imports.list('acme').get('shop')?.opened
    await api.accept(ann, 'shop', { document: view.document })
    expect(imports.list('acme').get('shop')?.opened).toBe(before)
  })

  test('a tenant whose source hangs does not delay the others', async () => {
    const where = place()
    const { api, parts, call } = openNode(memoryStores({ clock }), where)
    await api.add(ann, 'shop', { ...form, refreshSeconds: 1 }, signal)
    await api.add(bob, 'shop', { ...form, refreshSeconds: 1 }, signal)
    const hanging = parts.imports.loader.kindOf('list')
    const fetch: typeof hanging.fetch = (from, source) =>
      source.tenant === 'other' ? new Promise(() => undefined) : hanging.fetch(from, source)
    const workshop = { ...parts.imports.loader, kindOf: () => ({ ...hanging, fetch }) }
    const watched = { ...parts, imports: { ...parts.imports, workshop } }
    // the one that hangs first: who comes after it would wait
    void watchImports({
      ...watched,
      clock,
      tenants: async () => ['other', 'acme'],
      onTrouble: () => undefined,
    })
    await settle()
    where.document = CHANGED
    for (let second = 0; second < 5; second++) await clock.advance(1_000)
    await settle()
    expect((await call('shop.look')).error?.code).toBe('TOOL_TEMPORARILY_DISABLED')
  })

  test('a tool whose name looks like a built-in one is not listed beside it', async () => {
    const { imports, runtime, api } = openNode(memoryStores({ clock }), {
      ...place(),
      document: JSON.stringify([
        { name: 'payBill', description: 'Pays.' },
        { name: 'paybill', description: 'Pays too.' },
      ]),
    })
    await api.add(ann, 'bank', form, signal)
    expect([imports.of('acme').length, runtime.tools('acme').map(({ id }) => id)]).toEqual([
      2,
      ['bank.payBill'],
    ])
  })

  test('a load that began before a change and ends after it brings nothing back', async () => {
    const stores = memoryStores({ clock })
    const where = place()
    const slow = Promise.withResolvers<void>()
    let isSlow = false
    const values = {
      ...stores.values,
      get: async (tenant: string, key: string) => {
        const found = await stores.values.get(tenant, key)
        if (isSlow) {
          isSlow = false
          await slow.promise
        }
        return found
      },
    }
    const { api } = openNode(stores, where)
    await api.add(ann, 'shop', form, signal)
    const late = openNode({ ...stores, values }, where)
    isSlow = true
    const first = late.imports.load('acme')
    await settle()
    where.document = CHANGED
    await api.refresh(ann, 'shop', signal)
    const second = late.imports.load('acme')
    slow.resolve()
    await Promise.all([first, second])
    expect(
      late.imports.of('acme').find(({ tool }) => tool.id === 'shop.look')?.quarantineReason,
    ).toContain('has changed')
  })
})
