/** Units of a currency for a US dollar: rounded rates of November 2026, for examples only. */
const RATES: ReadonlyMap<string, number> = new Map([
  ['USD', 1],
  ['EUR', 0.9],
  ['GBP', 0.77],
  ['CHF', 0.86],
  ['JPY', 150],
  ['CAD', 1.38],
  ['AUD', 1.52],
  ['SEK', 10.4],
  ['NOK', 10.8],
  ['DKK', 6.7],
  ['PLN', 3.9],
  ['INR', 86],
  ['BRL', 5.5],
  ['ZAR', 18],
])

/** An amount in the currency, or in US dollars where its rate is not known. */
export function toCurrency(
  dollars: number,
  currency: string,
): { readonly amount: string; readonly currency: string } {
  const rate = RATES.get(currency)
  return rate === undefined
    ? { amount: dollars.toFixed(2), currency: 'USD' }
    : { amount: (dollars * rate).toFixed(2), currency }
}
