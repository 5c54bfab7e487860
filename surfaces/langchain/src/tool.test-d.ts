import type { Runtime } from '@surehand/core'
import { agent, priceTool } from './fixtures/shop.ts'
import { tool } from './tool.ts'

declare const runtime: Runtime

const price = tool(runtime, agent, priceTool)

void price.invoke({ product: 'tea' })
// @ts-expect-error a product is a text
void price.invoke({ product: 7 })
// @ts-expect-error who calls is said by the host, and not left out
void tool(runtime, priceTool)
