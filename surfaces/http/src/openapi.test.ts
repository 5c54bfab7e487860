import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestServer, type TestServer } from './fixtures/open-test-server.ts'

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
