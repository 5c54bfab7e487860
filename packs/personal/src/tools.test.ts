import { expect, test } from 'vitest'
import { openPersonalWorld } from '../testing/personal-world.ts'
import { personalTools } from './tools.ts'
import * as transactionTools from './transaction-tools.ts'

test('the writer thread finds the transaction of a tool in the list of tools', async () => {
  const world = await openPersonalWorld({ writer: 'thread' })
  try {
    expect(await world.data('task.capture', { text: 'Water the plants' })).toMatchObject({
      task: { title: 'Water the plants', state: 'inbox' },
    })
  } finally {
    await world.close()
  }
})

test('the module that the writer thread loads lists the tools with a transaction, and no others', () => {
  const withTransaction = personalTools.filter(({ work }) => work.kind === 'transaction')
  const ids = (tools: readonly { readonly id: string }[]) => tools.map(({ id }) => id).sort()
  expect(ids(Object.values(transactionTools).flat())).toEqual(ids(withTransaction))
})

test('every transaction has the name of its tool, by which the writer thread finds it', () => {
  const names = personalTools.flatMap(({ id, work }) =>
    work.kind === 'transaction' ? [[id, work.name]] : [],
  )
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter(([id, name]) => id !== name)).toEqual([])
})
