import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderReference } from './fixtures/api-reference.ts'
import { openTestServer, type TestServer } from './fixtures/open-test-server.ts'
import { ROUTES } from './http-handler.ts'
import { describeRoutes } from './openapi-routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

type Document = {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string }>>>
  >
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

async function documentFor(token: string): Promise<Document> {
  return (await server.get('/openapi.json', token)).json() as Promise<Document>
}

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const result = await validator.validate({ ...(await documentFor(server.tokens.root)) })
  expect(result).toMatchObject({ valid: true })
  expect(validator.version).toBe('3.1')
})

test('the validator would have said so if it were not', async () => {
  const { paths, ...rest } = await documentFor(server.tokens.root)
  expect(
    await new Validator().validate({
      ...rest,
      paths: { ...paths, '/bad': { get: { responses: 7 } } },
    }),
  ).toMatchObject({
    valid: false,
  })
})

test('every reference in it leads somewhere', async () => {
  const document = await documentFor(server.tokens.root)
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"(#[^"]*)"/g)].map(
    ([, reference]) => reference ?? '',
  )
  const target = (reference: string): unknown =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (node, part) =>
          (node as Record<string, unknown> | undefined)?.[
            part.replaceAll('~1', '/').replaceAll('~0', '~')
          ],
        document,
      )
  expect(references.length).toBeGreaterThan(10)
  expect(references.filter((reference) => target(reference) === undefined)).toEqual([])
  expect(references.some((reference) => reference.includes('$defs'))).toBe(true)
})

test('has one operation a tool, for tools the caller may use, each under a name of its own', async () => {
  const [all, some] = [await documentFor(server.tokens.ann), await documentFor(server.tokens.bob)]
  expect(Object.keys(all.paths)).toContain('/v1/tools/mail.letter/call')
  expect(Object.keys(some.paths)).not.toContain('/v1/tools/mail.letter/call')
  const names = Object.values(all.paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId }) =>
      operationId === undefined ? [] : [operationId],
    ),
  )
  expect(new Set(names).size).toBe(names.length)
})

type Media = {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** Every body and answer of the document, with where it stands. */
function mediaIn(node: unknown, place: string): readonly (readonly [string, Media])[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    const at = `${place}/${key}`
    if (key !== 'content') return mediaIn(value, at)
    return Object.entries(value as Readonly<Record<string, Media>>).map(
      ([type, media]) => [`${at}/${type}`, media] as const,
    )
  })
}

test('every body and answer has a schema that says something, and examples that fit it', async () => {
  const document = await documentFor(server.tokens.ann)
  const { components } = document
  const media = [...mediaIn(document.paths, 'paths'), ...mediaIn(components, 'components')]
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const problems: unknown[] = []
  let examples = 0
  for (const [place, { schema, example, examples: named = {} }] of media) {
    if (typeof schema !== 'object' || Object.keys(schema).length === 0) problems.push(place)
    const validate = ajv.compile({ ...schema, components })
    const values = [
      ...(example === undefined ? [] : [example]),
      ...Object.values(named).map((one) => one.value),
    ]
    for (const value of values) {
      examples += 1
      if (!validate(value)) problems.push([place, validate.errors])
    }
  }
  expect(problems).toEqual([])
  expect(examples).toBeGreaterThan(media.length / 2)
})

test('every list has one shape, and comes in pages', () => {
  const lists = ROUTES.flatMap(({ path, query, returns }) => {
    const example = typeof returns === 'object' ? returns.example : undefined
    const items = (example as { readonly items?: unknown } | undefined)?.items
    if (!Array.isArray(example) && items === undefined) return []
    const fields = Array.isArray(example) ? 'a bare list' : Object.keys(example as object)
    const asked = Object.keys(query?.shape ?? {}).filter((name) => /^(?:limit|cursor)$/.test(name))
    return [{ path, fields, asked: asked.toSorted() }]
  })
  expect(lists.length).toBeGreaterThan(9)
  for (const { path, ...found } of lists)
    expect({ path, ...found }).toEqual({
      path,
      fields: ['items', 'next_cursor'],
      asked: ['cursor', 'limit'],
    })
})

test('a path that replaces something says with what', () => {
  expect(ROUTES.filter(({ method, body }) => method === 'PUT' && body === undefined)).toEqual([])
})

test('the reference page is the one of these routes', async () => {
  const described = await describeRoutes(ROUTES, () => undefined)
  await expect(renderReference(described)).toMatchFileSnapshot('../../../docs/http-api.md')
})
