import { defineTransaction, ToolError } from '@surehand/core/worker-entry'

/** The tables that the suite's transactions work on. */
export const SUITE_SCHEMA: readonly string[] = ['create table suite_items (name text primary key)']

/** Writes an item; a store that runs functions elsewhere finds it under its name. */
export const addItem = defineTransaction(
  'suite.addItem',
  async (tx, { name }: { readonly name: string }) => {
    await tx.run('insert into suite_items (name) values (?)', name)
    const row = await tx.get('select count(*) as items from suite_items')
    return { items: Number(row?.items) }
  },
)

/** Writes an item and then refuses: nothing of it may stay. */
export const addThenRefuse = defineTransaction(
  'suite.addThenRefuse',
  async (tx, { name }: { readonly name: string }) => {
    await tx.run('insert into suite_items (name) values (?)', name)
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'Refused after writing.')
  },
)

/** Writes an item and never comes back. */
export const addThenHang = defineTransaction(
  'suite.addThenHang',
  async (tx, { name }: { readonly name: string }) => {
    await tx.run('insert into suite_items (name) values (?)', name)
    return new Promise<never>(() => undefined)
  },
)

type Names = { readonly name: string; readonly names: string[] }

/** Writes every item and takes it out of its arguments, as careless code does. */
export const addEach = defineTransaction('suite.addEach', async (tx, { names }: Names) => {
  for (let name = names.shift(); name !== undefined; name = names.shift())
    await tx.run('insert into suite_items (name) values (?)', name)
  return { items: names.length }
})

/** The same, and then refuses. */
export const addEachThenRefuse = defineTransaction(
  'suite.addEachThenRefuse',
  async (_tx, { names }: Names) => {
    while (names.length > 0) names.pop()
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'Refused after changing its arguments.')
  },
)

export const DAWDLE_MS = 200

/** Writes an item, and comes back, but not soon. */
export const addThenDawdle = defineTransaction(
  'suite.addThenDawdle',
  async (tx, { name }: { readonly name: string }) => {
    await tx.run('insert into suite_items (name) values (?)', name)
    await new Promise((resolve) => setTimeout(resolve, DAWDLE_MS))
    return { items: 1 }
  },
)

const NOT_JSON = {
  'a gap in a list': () => [1, undefined],
  'not a number': () => ({ items: Number.NaN }),
  'a date': () => ({ at: new Date(0) }),
  'a big integer': () => ({ items: 1n }),
}
export const NOT_JSON_NAMES = Object.keys(NOT_JSON) as (keyof typeof NOT_JSON)[]

/** Writes an item and answers what can't be kept: nothing of it may stay. */
export const addThenMumble = defineTransaction(
  'suite.addThenMumble',
  async (
    tx,
    { name, answer }: { readonly name: string; readonly answer: keyof typeof NOT_JSON },
  ): Promise<unknown> => {
    await tx.run('insert into suite_items (name) values (?)', name)
    return NOT_JSON[answer]()
  },
)

/** Everything a store has to know by name to run the suites. */
export const SUITE_TRANSACTIONS = [
  addItem,
  addEach,
  addEachThenRefuse,
  addThenRefuse,
  addThenHang,
  addThenDawdle,
  addThenMumble,
]
