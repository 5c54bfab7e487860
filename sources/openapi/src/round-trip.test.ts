import { type Caller, createRuntime, definePack, memoryStores, type Runtime } from '@surehand/core'
import { foreignPort } from '@surehand/core/host'
import { foreignSchemas } from '@surehand/json-schema'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type RecordingServer,
  sendPlainly,
  startRecordingServer,
} from './fixtures/recording-server.ts'
import { stylesDocument } from './fixtures/styles-document.ts'
import { openApiSource, openApiTools } from './open-api-tools.ts'
import { readOpenApi } from './read-open-api.ts'

const caller: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: [],
  capabilities: [],
}
const { operations, report } = readOpenApi(stylesDocument, {
  name: 'styles',
  allow: 'all',
  sidecar: Object.fromEntries(
    ['json', 'array', 'union', 'scalar', 'form', 'multipart', 'xml', 'binary'].map((id) => [
      id,
      { approval: 'none' as const },
    ]),
  ),
})

let server: RecordingServer
let runtime: Runtime

beforeAll(async () => {
  server = await startRecordingServer(stylesDocument)
  const tools = openApiTools(operations, {
    port: foreignPort('styles', { keysValidFor: '1d' }),
    schemas: foreignSchemas(),
  })
  const source = openApiSource(operations, sendPlainly, { baseUrl: `${server.origin}/base/v1` })
  runtime = createRuntime({
    packs: [definePack({ name: 'styles', tools: [...tools] })],
    stores: memoryStores(),
    providers: { styles: source },
  })
})
afterAll(() => server.close())

const any = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => text.isWellFormed())
const inPath = any.filter((text) => !/[./\\%;\p{Cc}]/u.test(text.normalize('NFKC')))
const inHeader = fc
  .string({ minLength: 1, maxLength: 12 })
  .filter((text) => /^[\x21-\x7e]+$/.test(text) && !/[,=]/.test(text))
const lists = (one: fc.Arbitrary<string>) => fc.array(one, { minLength: 1, maxLength: 4 })
const points = (name: fc.Arbitrary<string>) =>
  fc.record({ x: fc.integer({ min: -1000, max: 1000 }), name })
const base64 = fc
  .uint8Array({ maxLength: 64 })
  .map((bytes) => Buffer.from(bytes).toString('base64'))
const file = fc.record({ base64 })

const INPUTS: Readonly<Record<string, fc.Arbitrary<Record<string, unknown>>>> = {
  simple: fc.record({
    id: inPath,
    list: lists(inPath),
    flat: points(inPath),
    point: points(inPath),
  }),
  label: fc.record({ id: fc.nat(), list: lists(inPath), many: lists(inPath) }),
  matrix: fc.record({
    id: inPath,
    list: lists(inPath),
    many: lists(inPath),
    point: points(inPath),
  }),
  query: fc.record(
    {
      text: fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed()),
      count: fc.integer({ min: 0, max: 99 }),
      flag: fc.boolean(),
      many: lists(any),
      list: lists(any),
      spaced: lists(any.filter((text) => !text.includes(' '))),
      piped: lists(any.filter((text) => !text.includes('|'))),
      flat: points(any),
      deep: points(any),
      json: points(any),
      open: any,
      odd_name_: any,
    },
    { requiredKeys: ['flag'] },
  ),
  places: fc.record(
    {
      id: fc.integer(),
      id__query: any,
      'X-Id': inHeader,
      'X-List': lists(inHeader),
      'X-Point': points(inHeader),
      plain: any,
      list: lists(any),
    },
    { requiredKeys: ['id'] },
  ),
  json: fc.record({
    body: fc.record(
      {
        name: any,
        note: fc.option(any, { nil: null }),
        kind: fc.constantFrom('a', 'b', null),
        points: fc.array(points(any), { maxLength: 3 }),
      },
      { requiredKeys: ['name'] },
    ),
  }),
  array: fc.record({ body: lists(any) }),
  union: fc.record({ body: fc.oneof(fc.integer(), points(any)) }),
  scalar: fc.record({
    body: fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map((value) => value + 0),
  }),
  form: fc.record({
    body: fc.record(
      { name: any, many: lists(any), list: lists(any), deep: points(any), json: points(any) },
      { requiredKeys: ['name'] },
    ),
  }),
  multipart: fc.record({
    body: fc.record(
      {
        title: any,
        point: points(any),
        file,
        files: fc.array(file, { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: ['title', 'file'] },
    ),
  }),
  xml: fc.record({ body: any }),
  binary: fc.record({ body: base64 }),
}

// what the model calls an argument, as the document calls it
const RENAMED: Readonly<Record<string, string>> = {
  id__query: 'query id',
  odd_name_: 'query odd[name]',
}
function asReceived(operationId: string, input: Record<string, unknown>): Record<string, unknown> {
  const plan = operations.find((one) => one.operationId === operationId)?.plan
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const place = (
        stylesDocument.paths as Record<
          string,
          Record<string, { parameters?: { in: string; name: string }[] }>
        >
      )[plan?.path ?? '']
      const parameter = place?.[plan?.method.toLowerCase() ?? '']?.parameters?.find(
        (one) => one.name === name,
      )
      return [RENAMED[name] ?? (parameter === undefined ? name : `${parameter.in} ${name}`), value]
    }),
  )
}

const call = (operationId: string, input: unknown, key: string) =>
  runtime.call({
    tool: `styles.${operationId}`,
    input,
    caller,
    surface: 'test',
    idempotencyKey: key,
  })

const RUNS = Math.ceil(1_000 / Object.keys(INPUTS).length)

describe('a server made from the document', () => {
  test('has a tool for every operation', () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys(INPUTS).toSorted(),
    )
    expect(report.leftOut).toEqual([])
  })

  test.each(Object.keys(INPUTS))(
    'gets what was meant, for any input of %s',
    async (operationId) => {
      let count = 0
      await fc.assert(
        fc.asyncProperty(INPUTS[operationId] ?? fc.constant({}), async (input) => {
          server.received.length = 0
          const outcome = await call(operationId, input, `${operationId}-${count++}`)
          expect(outcome).toMatchObject({
            status: 'done',
            data: { status: 200, data: { ok: true } },
          })
          expect(server.received).toEqual([{ operationId, input: asReceived(operationId, input) }])
        }),
        { numRuns: RUNS },
      )
    },
  )

  const spoil = fc.constantFrom('unknown key', 'wrong type', 'missing')
  test.each(Object.keys(INPUTS))('gets nothing of an invalid input of %s', async (operationId) => {
    const requiredFields = (operations.find((one) => one.operationId === operationId)?.plan.input
      .required ?? []) as string[]
    await fc.assert(
      fc.asyncProperty(INPUTS[operationId] ?? fc.constant({}), spoil, async (input, how) => {
        const [name = ''] = requiredFields
        const spoiled: Record<string, unknown> = { ...input }
        if (how === 'unknown key') spoiled.surprise = 1
        if (how === 'wrong type') spoiled[name] = [[{}]]
        if (how === 'missing') delete spoiled[name]
        server.received.length = 0
        const outcome = await call(operationId, spoiled, 'never')
        expect(outcome).toMatchObject({
          status: 'failed',
          error: { code: expect.stringMatching(/^TOOL_(INVALID|MISSING|REQUIRED)/) },
        })
        expect(server.received).toEqual([])
      }),
      { numRuns: 20 },
    )
  })
})
