import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Caller, toEnvelope } from '@surehand/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../app.ts'
import { readDemoConfig } from '../fixtures/demo-config.ts'
import { prepareGraphqlInTime, prepareInTime, prepareInWorker } from './prepare-document.ts'
import { prepareGraphql } from './prepare-graphql.ts'
import { prepareOpenApi } from './prepare-openapi.ts'

const bob: Caller = {
  tenant: 'home',
  principal: 'bob',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}
const HEAD =
  'openapi: 3.1.0\ninfo: { title: Long, version: "1" }\nservers: [{ url: "https://long.example" }]\n'

/** A document of so many characters, with ten operations. */
function longYaml(characters: number): string {
  const paths = Array.from({ length: 10 }, (_, index) => {
    return `  /p${index}:\n    get:\n      operationId: get${index}\n      responses:\n        "200": { description: Fine }\n`
  })
  const schema = (index: number) =>
    `    S${index}:\n      type: object\n      description: >-\n        A thing that has a name\n      properties:\n        name: { type: string, maxLength: ${index + 1} }\n`
  const schemas: string[] = []
  for (let length = 0; length < characters; length += schemas.at(-1)?.length ?? 0)
    schemas.push(schema(schemas.length))
  return `${HEAD}paths:\n${paths.join('')}components:\n  schemas:\n${schemas.join('')}`
}

// past the length that is read in place
const PADDING = `# ${'x'.repeat(78)}\n`.repeat(4_000)
const createRequest = (document: string) => ({
  document,
  name: 'long',
  settings: { allow: 'all' as const },
})

let app: App
beforeAll(async () => {
  const data = mkdtempSync(join(tmpdir(), 'surehand-long-yaml-'))
  app = await createApp(
    await readDemoConfig({
      env: { SUREHAND_DATA: data, SUREHAND_LOG_LEVEL: 'silent' },
      folder: data,
    }),
  )
})
afterAll(() => app.close())

describe('a YAML of megabytes', () => {
  test("keeps nobody waiting: another's call is answered while it is read", async () => {
    let isPrepared = false
    const preparing = Promise.resolve(prepareInTime(createRequest(longYaml(5_000_000)))).then(
      (preparation) => {
        isPrepared = true
        return preparation
      },
    )
    const answer = await app.runtime.call({
      tool: 'shop.price',
      input: { productId: 'tea' },
      caller: { ...bob, tenant: 'demo' },
      surface: 'test',
    })
    expect([toEnvelope(answer).status, isPrepared]).toEqual(['success', false])
    expect((await preparing).report.taken).toHaveLength(10)
  })

  test('becomes what a short one becomes', async () => {
    const document = longYaml(300_000)
    expect(await prepareInWorker(createRequest(document), 60_000)).toEqual(
      prepareOpenApi(createRequest(document)),
    )
  })

  test('that takes too long is given up, with what to do', async () => {
    await expect(prepareInWorker(createRequest(longYaml(5_000_000)), 1)).rejects.toMatchObject({
      code: 'TOOL_INPUT_TOO_LARGE',
      details: { again_after_ms: 600_000 },
      suggestions: ['Convert it to JSON, or split it into parts.'],
    })
  })

  test('is refused with its sentence where it is none, or a bomb of aliases', async () => {
    await expect(prepareInTime(createRequest(`${PADDING}a: [1`))).rejects.toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
      message: expect.stringContaining('not valid YAML'),
    })
    const aliases = `${PADDING}${HEAD}a: &a 1\nb: [${Array.from({ length: 20_000 }, () => '*a').join(',')}]`
    await expect(prepareInTime(createRequest(aliases))).rejects.toMatchObject({
      message: expect.stringContaining('aliases exceeded'),
    })
  })

  test('whose aliases would fill the memory when they are written out is left out by count', async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const below =
        level === 0
          ? '{ type: string }'
          : `{ type: object, properties: { ${[...'abcdefghi'].map((name) => `${name}: *l${level - 1}`).join(', ')} } }`
      return `  l${level}: &l${level} ${below}\n`
    })
    const operation = (id: string, schema: string) =>
      `  /${id}:\n    post:\n      operationId: ${id}\n      requestBody: { content: { application/json: { schema: ${schema} } } }\n      responses: { "200": { description: Fine } }\n`
    const bomb = `${PADDING}${HEAD}x-levels:\n${levels.join('')}paths:\n${operation('bomb', '*l11')}${operation('good', '{ type: object }')}`
    const { report } = await prepareInTime(createRequest(bomb))
    expect([report.taken, report.leftOut.map(({ operation }) => operation)]).toEqual([
      ['long.good'],
      ['POST /bomb'],
    ])
  })
})

test('a large GraphQL schema is read in another thread, with the same result', async () => {
  const types = Array.from(
    { length: 3_000 },
    (_, index) => `type T${index} { id: ID! name: String ${'x'.repeat(80)}: Int }`,
  )
  const document = `type Query { one: T1 many: [T2!]! }\n${types.join('\n')}`
  const settings = { endpoint: 'https://large.example/graphql', auth: 'none' as const }
  const wanted = { document, name: 'large', settings }
  expect(
    prepareGraphqlInTime({ ...wanted, document: 'type Query { one: Int }' }),
  ).not.toBeInstanceOf(Promise)
  const preparing = prepareGraphqlInTime(wanted)
  expect(preparing).toBeInstanceOf(Promise)
  const expected = prepareGraphql(wanted)
  const preparation = await preparing
  expect(preparation.report).toEqual(expected.report)
  expect(Buffer.from(preparation.prepared)).toEqual(Buffer.from(expected.prepared))
})
