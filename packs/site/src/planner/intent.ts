import type { Day } from '@surehand/dates'

export type PartOfDay = 'morning' | 'afternoon' | 'evening'

/** When a visitor wants to come. */
export type Wish = {
  readonly day?: Day
  readonly endDay?: Day
  readonly time?: string
  readonly part?: PartOfDay
}

/** What a clause of the visitor asks for. */
export type Intent =
  | { readonly do: 'search'; readonly query: string; readonly maxPrice?: number }
  | {
      readonly do: 'add'
      readonly quantity: number
      /** 1 is the first of the last results. */
      readonly ordinal?: number
      /** What to add, where it is not one of the last results. */
      readonly query?: string
      readonly notes?: string
    }
  | { readonly do: 'setQuantity'; readonly quantity: number }
  | { readonly do: 'remove' }
  | { readonly do: 'coupon'; readonly code: string }
  | { readonly do: 'showCart' }
  | { readonly do: 'checkout' }
  | { readonly do: 'book'; readonly what: string; readonly wish: Wish }
  | { readonly do: 'cancelBooking' }
  | { readonly do: 'goto'; readonly page: 'home' | 'blog' | 'help' }
  | { readonly do: 'suggest' }
  | { readonly do: 'person' }
  | { readonly do: 'help' }
  | { readonly do: 'unknown'; readonly text: string }

export type Language = 'en' | 'de'
