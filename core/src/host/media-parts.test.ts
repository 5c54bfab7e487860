import { expect, test } from 'vitest'
import { mediaParts } from './media-parts.ts'

const artifact = (media_type: string) => ({ media_type, bytes: 3, sha256: 'abc', base64: 'AQID' })

test('the blocks of a mounted server stay what they are', () => {
  const content = [
    { type: 'text', text: 'one' },
    { type: 'image', artifact: artifact('image/png') },
    { type: 'audio', artifact: artifact('audio/wav') },
    { type: 'resource', uri: 'notes://1', mimeType: 'text/markdown', text: '# One' },
    { type: 'resource', uri: 'notes://2', artifact: artifact('application/zip') },
    { type: 'resource_link', uri: 'notes://3', name: 'third' },
  ]
  expect(mediaParts({ content })).toEqual([
    { kind: 'text', text: 'one' },
    { kind: 'image', mediaType: 'image/png', base64: 'AQID' },
    { kind: 'audio', mediaType: 'audio/wav', base64: 'AQID' },
    { kind: 'file', uri: 'notes://1', mediaType: 'text/markdown', content: { text: '# One' } },
    { kind: 'file', uri: 'notes://2', mediaType: 'application/zip', content: { base64: 'AQID' } },
    { kind: 'link', uri: 'notes://3', name: 'third', description: undefined, mediaType: undefined },
  ])
})

test('a picture that an API answers with is a picture, beside the status', () => {
  expect(mediaParts({ status: 200, artifact: artifact('image/jpeg') })).toEqual([
    { kind: 'text', text: '{"status":200}' },
    { kind: 'image', mediaType: 'image/jpeg', base64: 'AQID' },
  ])
})

test('one that is too large to be carried is described in words', () => {
  const { base64: _, ...described } = artifact('image/png')
  expect(mediaParts({ content: [{ type: 'image', artifact: described }] })).toEqual([
    { kind: 'text', text: expect.stringContaining('"sha256":"abc"') },
  ])
})

test.each([
  null,
  'text',
  [],
  { content: 'a text' },
  { content: [{ type: 'paragraph' }] },
  { status: 200 },
])('other answers are data: %j', (data) => {
  expect(mediaParts(data)).toBeUndefined()
})
