import { foreignPort, foreignTool } from '@surehand/core/host'
import type { ForeignSchemas } from '@surehand/core/ports'
import { expect, test } from 'vitest'
import { rewordTool } from './registry-change.ts'

const look = foreignTool(
  {
    id: 'shop.look',
    title: 'Look',
    description: 'Looks.',
    input: { type: 'object' },
    output: { type: 'string' },
    contract: { effect: 'read', timeout: '3s' },
    port: foreignPort('shop', { keysValidFor: '1d' }),
    by: 'read',
  },
  // erased: nothing is compiled until it is called
  {} as ForeignSchemas,
)

test('a foreign tool with other words is the same tool', () => {
  const other = rewordTool(look, { description: 'Looks around.', version: '1.0.1' })
  expect(other).toMatchObject({
    id: 'shop.look',
    title: 'Look',
    description: 'Looks around.',
    version: '1.0.1',
  })
  expect(other.contract).toBe(look.contract)
  expect(other.input.toJson('input')).toEqual({ type: 'object' })
  expect([...other.ports.keys()]).toEqual(['source'])
  expect(look).toMatchObject({ description: 'Looks.', version: '1.0.0' })
})
