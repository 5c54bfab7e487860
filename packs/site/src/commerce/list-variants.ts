import { defineTool } from '@surehand/core'
import { Money, ProductId, VariantId } from '@surehand/documents'
import { z } from 'zod'
import { shopperOf } from '../visitor-contract.ts'
import { commerce } from './commerce-port.ts'

export const listVariants = defineTool({
  id: 'commerce.listVariants',
  title: 'List variants',
  category: 'commerce',
  description:
    'Lists the variants of a product (size, colour, …) with price and stock. Use it before commerce.addToCart when the visitor has not said which variant they want.',
  input: z.object({ productId: ProductId }),
  output: z.object({
    productId: ProductId,
    name: z.string(),
    url: z.string().optional(),
    variants: z.array(
      z.object({
        variantId: VariantId,
        name: z.string(),
        price: Money,
        inStock: z.boolean(),
        available: z.int().optional(),
        attributes: z.record(z.string(), z.string()),
      }),
    ),
  }),
  contract: {
    effect: 'none',
    auth: 'none',
    latencyBudget: '300ms',
    timeout: '5s',
    retries: 1,
  },
  ports: { commerce },
  examples: [{ name: 'roses', input: { productId: 'red-roses' } }],
  execute: async ({ input: { productId }, caller, ports, signal }) => {
    const found = await ports.commerce.variants({ shopper: shopperOf(caller), productId }, signal)
    return {
      productId: found.productId,
      name: found.name,
      ...(found.url === undefined ? {} : { url: found.url }),
      variants: found.variants.map(({ available, ...variant }) => ({
        ...variant,
        price: { ...variant.price },
        attributes: { ...variant.attributes },
        ...(available === undefined ? {} : { available }),
      })),
    }
  },
})
