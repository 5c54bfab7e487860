import { Buffer } from 'node:buffer'
import type { EffectLog, EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { z } from 'zod'
import { googleFailure, withoutKey } from './google-failure.ts'

const SCALE = 600
const SECONDS = 4

/**
 * The header of a video without frames, with a note that it is emulated. It is a string, because
 * emulators send text: no byte is above 127.
 */
function placeholderMp4(): string {
  const header = Buffer.alloc(100)
  header.writeUInt32BE(SCALE, 12)
  header.writeUInt32BE(SCALE * SECONDS, 16)
  header.writeUInt32BE(0x0001_0000, 20)
  header.writeUInt16BE(0x0100, 24)
  // The identity matrix (ISO/IEC 14496-12, 8.2.2).
  for (const [at, value] of [
    [36, 0x0001_0000],
    [52, 0x0001_0000],
    [68, 0x4000_0000],
  ] as const)
    header.writeUInt32BE(value, at)
  header.writeUInt32BE(1, 96)
  const kind = box('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1'))
  const label = box('free', Buffer.from('Made by an emulator, not by a model.', 'latin1'))
  return Buffer.concat([kind, label, box('moov', box('mvhd', header))]).toString('latin1')
}

function box(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, content])
}

const Body = z.object({
  instances: z.array(z.object({ prompt: z.string().min(1) })).length(1),
  parameters: z.object({}).optional(),
})
const Charged = z.object({ operation: z.string(), prompt: z.string() })

/**
 * Veo: a video is charged when its operation begins, and is finished at the third poll. It has a
 * header and no frames. A prompt with "FORBIDDEN" is filtered.
 */
export const routes: readonly EmulatorRoute[] = veoRoutes()

function veoRoutes(): readonly EmulatorRoute[] {
  const polls = new Map<string, number>()
  return [
    { method: 'POST', path: '/v1beta/models/:call', handle: begin },
    {
      method: 'GET',
      path: '/v1beta/models/:model/operations/:id',
      handle: (request, log) => poll(request, log, polls),
    },
    { method: 'GET', path: '/v1beta/files/:id', handle: download },
  ]
}

function begin(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const refused = withoutKey(request)
  if (refused !== undefined) return refused
  const [model = '', method] = (request.params.call ?? '').split(':')
  if (method !== 'predictLongRunning') return googleFailure(404, 'NOT_FOUND', 'No such method.')
  const body = Body.safeParse(request.json())
  if (!body.success)
    return googleFailure(
      400,
      'INVALID_ARGUMENT',
      body.error.issues[0]?.message ?? 'Invalid request.',
    )
  const name = `models/${model}/operations/emulated${log.effects().length + 1}`
  return { effect: { operation: name, prompt: body.data.instances[0]?.prompt }, body: { name } }
}

function poll(request: EmulatorRequest, log: EffectLog, polls: Map<string, number>): EmulatorReply {
  const refused = withoutKey(request)
  if (refused !== undefined) return refused
  const name = request.path.slice('/v1beta/'.length)
  const charged = log.effects().flatMap(({ effect }) => Charged.safeParse(effect).data ?? [])
  const operation = charged.find((one) => one.operation === name)
  if (operation === undefined) return googleFailure(404, 'NOT_FOUND', 'Operation not found.')
  const metadata = {
    '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningMetadata',
    model: 'emulator',
  }
  polls.set(name, (polls.get(name) ?? 0) + 1)
  if ((polls.get(name) ?? 0) < 3) return { body: { name, metadata } }
  const samples = operation.prompt.includes('FORBIDDEN')
    ? { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['The prompt was filtered.'] }
    : {
        generatedSamples: [
          {
            video: {
              uri: `http://${request.headers.host}/v1beta/files/placeholder:download?alt=media`,
            },
          },
        ],
      }
  const response = {
    '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
    generateVideoResponse: samples,
  }
  return { body: { name, metadata, done: true, response } }
}

// The download requires the key as well.
function download(request: EmulatorRequest): EmulatorReply {
  return withoutKey(request) ?? { headers: { 'content-type': 'video/mp4' }, body: placeholderMp4() }
}
