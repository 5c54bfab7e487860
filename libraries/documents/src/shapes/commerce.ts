import { once } from '@surehand/core/internal'
import { z } from 'zod'
import { identifier } from './identifier.ts'

// when the first is looked at: making the list takes milliseconds, and most commands look at none
const currencies = once(() => new Set(Intl.supportedValuesOf('currency')))

// the list stays out of the JSON Schema: it differs between Node versions, and with it every
// definition hash would
export const CurrencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, {
    error: 'Use the three capital letters of an ISO 4217 currency, such as EUR.',
    abort: true,
  })
  .refine((code) => currencies().has(code), { error: 'No ISO 4217 currency has this code.' })
  .meta({
    title: 'currency',
    description: 'An ISO 4217 currency code in capital letters.',
    examples: ['EUR', 'USD', 'JPY'],
  })

export const Money = z
  .object({
    amount: z
      .int()
      .describe(
        'Whole minor units of the currency: 1999 is 19.99 EUR, and 1999 JPY. Negative for a refund or a discount.',
      ),
    currency: CurrencyCode,
  })
  .meta({
    title: 'money',
    description: 'An amount in minor units of its currency, never a decimal fraction.',
    examples: [{ amount: 1999, currency: 'EUR' }],
  })
export type Money = z.infer<typeof Money>

export const Quantity = z
  .int()
  .min(1)
  .max(999)
  .meta({
    title: 'quantity',
    description: 'How many pieces, 1 to 999.',
    examples: [1],
  })

export const ProductId = identifier({
  title: 'product id',
  description: 'Identifies a product of the shop, as a search or a product page gave it.',
  examples: ['prod_8271'],
})

export const VariantId = identifier({
  title: 'variant id',
  description:
    'Identifies one variant (size, colour) of a product, as the list of its variants gave it.',
  examples: ['prod_8271:blue-42'],
})

export const CartId = identifier({
  title: 'cart id',
  description: 'Identifies a shopping cart.',
  examples: ['cart_51f0'],
})

export const CouponCode = identifier({
  title: 'coupon code',
  description: 'A discount code exactly as the customer gave it; capitals may matter.',
  examples: ['SUMMER-10'],
})

export const CheckoutToken = identifier({
  title: 'checkout token',
  description: 'The token that the start of a checkout returned; it is needed to place the order.',
  examples: ['chk_9b1c77e0'],
})
