import { ProductId } from '@surehand/documents'
import { z } from 'zod'

export const OrderShape = z.object({
  receipt: z.string(),
  productId: ProductId,
  quantity: z.int(),
  note: z.string().describe('States that this is a demo.'),
})
