import { foreignPort } from '@surehand/core/host'
import { graphqlTools, INTROSPECTION_QUERY, readGraphql } from '@surehand/graphql'
import { foreignSchemas } from '@surehand/json-schema'
import { openApiTools, readOpenApi } from '@surehand/openapi'
import { openShopApp } from '@surehand/site/testing/shop-app'
import { expect, onTestFinished, test } from 'vitest'

// The API of the demo shop becomes tools by the same importers as every other document.
test('the demo shop: tools of what it marks with x-agent, and of its GraphQL schema', async () => {
  const shop = await openShopApp()
  onTestFinished(() => shop.close())
  const { url } = shop.shop
  const schemas = foreignSchemas()
  const port = foreignPort('shop', { keysValidFor: '1d' })
  const text = await (await fetch(`${url}/openapi.json`)).text()
  const { operations, report } = readOpenApi(text, {
    name: 'shop',
    address: `${url}/openapi.json`,
    allow: 'all',
  })
  expect(report.leftOut).toEqual([])
  const tools = openApiTools(operations, { port, schemas })
  const authOf = (id: string) => {
    const at = operations.findIndex(({ operationId }) => operationId === id)
    return tools[at]?.contract.auth
  }
  expect([authOf('listOrders'), authOf('listProducts')]).toEqual(['service', 'none'])
  const marked = readOpenApi(text, { name: 'shop', address: `${url}/openapi.json` })
  const ids = marked.operations.map(({ operationId }) => operationId)
  expect(ids).toContain('placeOrder')
  expect(ids).not.toContain('listOrders')
  const placeOrder = marked.operations.findIndex(({ operationId }) => operationId === 'placeOrder')
  expect(openApiTools(marked.operations, { port, schemas })[placeOrder]?.contract).toMatchObject({
    isWrite: true,
    approval: expect.anything(),
  })

  const asked = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: INTROSPECTION_QUERY }),
  })
  const { data } = (await asked.json()) as { data: unknown }
  const read = readGraphql(data, {
    name: 'shop',
    endpoint: `${url}/graphql`,
    allow: ['mutation.addCartLine'],
  })
  const made = graphqlTools(read.operations, { port, schemas })
  expect(made.filter(({ contract }) => contract.isWrite).map(({ id }) => id)).toHaveLength(1)
  expect(made.length).toBeGreaterThan(3)
})
