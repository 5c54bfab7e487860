import type { Caller } from '@surehand/core'
import { expect, test } from 'vitest'
import { keepLarge } from './keep-large.ts'

const caller: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: [],
  capabilities: [],
}
const link = { uri: 'surehand://artifacts/1', url: 'https://x/v1/artifacts/1', expires_at: 'later' }
const stored: { readonly bytes: Uint8Array; readonly mediaType: string }[] = []
const keep = async (_: Caller, file: (typeof stored)[number]) => {
  stored.push(file)
  return link
}
const text = 'x'.repeat(70_000)
const file = (mediaType: string, bytes: number) => ({
  type: 'resource',
  artifact: {
    media_type: mediaType,
    bytes,
    sha256: 'abc',
    base64: Buffer.alloc(bytes).toString('base64'),
  },
})

test('a long text is stored whole, and its beginning is shown beside the link', async () => {
  stored.length = 0
  const answer = await keepLarge({ content: [{ type: 'text', text }] }, caller, keep)
  expect(answer).toEqual({
    content: [
      {
        type: 'text',
        text: `${'x'.repeat(4_000)}\n[These are the first 4000 of 70000 characters. The whole of it is linked below.]`,
      },
      {
        type: 'resource',
        uri: link.uri,
        mimeType: 'text/plain',
        artifact: expect.objectContaining({ media_type: 'text/plain', bytes: 70_000, ...link }),
      },
    ],
  })
  expect(Buffer.from(stored[0]?.bytes ?? []).toString()).toBe(text)
})

test('a large file becomes a link, an image of the same size stays an image', async () => {
  const content = [file('application/zip', 70_000), file('image/png', 70_000)]
  const { artifact } = file('application/zip', 70_000)
  const { base64: _, ...facts } = artifact
  expect(await keepLarge({ content }, caller, keep)).toEqual({
    content: [{ type: 'resource', artifact: { ...facts, ...link } }, content[1]],
  })
})

test('data beyond its limit becomes a text with a link; small answers stay as they are', async () => {
  const rows = Array(40_000).fill('a row')
  expect(JSON.stringify(await keepLarge({ rows }, caller, keep))).toContain(link.uri)
  const small = { content: [{ type: 'text', text: 'short' }], structured: { a: 1 } }
  expect(await keepLarge(small, caller, keep)).toEqual(small)
})

test('what cannot be stored is cut, because the call has had its effect', async () => {
  const fails = async () => Promise.reject(new Error('the store is away'))
  const answer = JSON.stringify(
    await keepLarge({ content: [{ type: 'text', text }] }, caller, fails),
  )
  expect(answer).toContain('Ask the tool for less at a time.')
  expect(answer).not.toContain('artifacts')
})
