import type { Money } from '@surehand/documents'

/** `{ amount: 1999, currency: 'EUR' }` as "19.99 EUR", in the digits of the currency. */
export function formatMoney({ amount, currency }: Money): string {
  const digits = digitsOf(currency)
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`
}

/** How many digits of the currency are behind the point: 2 for EUR, 0 for JPY. */
export function digitsOf(currency: string): number {
  try {
    return (
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
        .maximumFractionDigits ?? 2
    )
  } catch {
    // The shop's own unit, which Intl does not know.
    return 2
  }
}
