import { expect, test } from 'vitest'
import { z } from 'zod'
import { definePack } from './pack.ts'
import { defineTool } from './tool.ts'

const described = {
  title: 'Note',
  category: 'custom',
  description: 'A note.',
  input: z.object({}),
  output: z.null(),
} as const
const read = defineTool({
  ...described,
  id: 'note.read',
  contract: { effect: 'read' },
  execute: async () => null,
})
const list = defineTool({
  ...described,
  id: 'note.list',
  contract: { effect: 'read' },
  execute: async () => null,
})

test('a pack keeps its tools in order, and what each role is given', () => {
  const pack = definePack({ name: 'notes', tools: [read, list], grants: { user: ['note.read'] } })
  expect(pack.name).toBe('notes')
  expect(pack.tools).toEqual([read, list])
  expect([...pack.grants]).toEqual([['user', ['note.read']]])
})

test('a pack is frozen, and its list is its own', () => {
  const tools = [read]
  const pack = definePack({ name: 'notes', tools })
  tools.push(list)
  expect(pack.tools).toEqual([read])
  expect(Object.isFrozen(pack)).toBe(true)
  expect(Object.isFrozen(pack.tools)).toBe(true)
})

test('a pack without grants gives nothing', () => {
  expect(definePack({ name: 'notes', tools: [] }).grants.size).toBe(0)
})

test('a tool that is listed twice is refused', () => {
  expect(() => definePack({ name: 'notes', tools: [read, list, read] })).toThrow(
    'Pack "notes" lists the tool "note.read@1.0.0" twice.',
  )
})
