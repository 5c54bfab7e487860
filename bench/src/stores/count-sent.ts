import pg from 'pg'

/** Counts what every client of this process sends from now on. What is sent while another statement is unanswered shares its round trip. */
export function countSent(): {
  readonly stop: () => { readonly statements: number; readonly roundTrips: number }
} {
  const totals = { statements: 0, roundTrips: 0 }
  const unanswered = new WeakMap<pg.Client, number>()
  // erased: `query` has a dozen forms, and whatever it is given is handed on
  const prototype = pg.Client.prototype as unknown as {
    query: (this: pg.Client, ...given: unknown[]) => unknown
  }
  const { query } = prototype

  prototype.query = function (...given) {
    const waiting = unanswered.get(this) ?? 0
    totals.statements += 1
    if (waiting === 0) totals.roundTrips += 1
    unanswered.set(this, waiting + 1)
    const answered = query.apply(this, given)
    const settle = () => unanswered.set(this, (unanswered.get(this) ?? 1) - 1)
    if (answered instanceof Promise) answered.then(settle, settle)
    else throw new Error('a query without a promise can not be counted')
    return answered
  }

  return {
    stop() {
      prototype.query = query
      return totals
    },
  }
}
