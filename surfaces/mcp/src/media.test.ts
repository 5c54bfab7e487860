import { createRuntime, definePack, memoryStores } from '@surehand/core'
import { foreignPort, foreignTool } from '@surehand/core/host'
import { zodSchema } from '@surehand/core/internal'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { serve } from './fixtures/serve.ts'
import { ann } from './fixtures/shop.ts'

test('an image of a mounted server is an image for our clients, and a link is a link', async () => {
  const port = foreignPort('camera', { keysValidFor: '1d' })
  const schemas = { compile: () => zodSchema(z.looseObject({})) }
  const look = foreignTool(
    {
      id: 'camera.look',
      title: 'Look',
      description: 'Takes a picture.',
      input: { type: 'object' },
      output: {},
      contract: { effect: 'read', outputValidation: 'lenient' },
      port,
      by: 'read',
    },
    schemas,
  )
  const artifact = { media_type: 'image/png', bytes: 3, sha256: 'abc', base64: 'AQID' }
  const answer = async () => ({
    content: [
      { type: 'image', artifact },
      { type: 'resource_link', uri: 'camera://1', name: 'the original' },
    ],
  })
  const runtime = createRuntime({
    packs: [definePack({ name: 'camera', tools: [look] })],
    stores: memoryStores(),
    providers: { camera: { read: answer, write: answer, writeOnce: answer } },
  })
  const served = await serve(runtime, { ann })
  const client = await served.connect('2026', 'ann')
  const { content } = await client.callTool({ name: 'camera__look', arguments: {} })
  expect(content).toEqual([
    { type: 'image', data: 'AQID', mimeType: 'image/png' },
    { type: 'resource_link', uri: 'camera://1', name: 'the original' },
  ])
  await served.close()
})

test('a file that an answer links to is a resource, for its caller alone', async () => {
  const runtime = createRuntime({ packs: [], stores: memoryStores() })
  const found = { bytes: Buffer.from('the whole text'), mediaType: 'text/plain' }
  const served = await serve(
    runtime,
    { ann, ben: { ...ann, principal: 'ben' } },
    { files: { find: async ({ principal }) => (principal === 'ann' ? found : undefined) } },
  )
  const uri = 'surehand://artifacts/abc'
  const client = await served.connect('2026', 'ann')
  expect((await client.readResource({ uri })).contents).toEqual([
    { uri, mimeType: 'text/plain', text: 'the whole text' },
  ])
  const other = await served.connect('2026', 'ben')
  await expect(other.readResource({ uri })).rejects.toThrow()
  await served.close()
})
