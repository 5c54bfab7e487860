import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { z } from 'zod'
import { errorReply, graphError } from './graph-error.ts'
import { describeProblem } from './message-routes.ts'
import type { Network } from './network.ts'
import type { WhatsAppRecord } from './record.ts'
import { isWindowOpen, mayCall } from './whatsapp-state.ts'

const Connect = z.object({
  messaging_product: z.literal('whatsapp'),
  to: z.string().regex(/^\+?\d{7,15}$/),
  action: z.literal('connect'),
  session: z.object({ sdp_type: z.literal('offer'), sdp: z.string().startsWith('v=0') }),
  biz_opaque_callback_data: z.string().max(512).optional(),
})
const Terminate = z.object({
  messaging_product: z.literal('whatsapp'),
  call_id: z.string(),
  action: z.literal('terminate'),
})
const CallAction = z.discriminatedUnion('action', [Connect, Terminate])

/** Calls that the business makes: their states, without audio. */
export function callRoutes(network: Network): readonly EmulatorRoute[] {
  const post = (request: EmulatorRequest) => network.authorize(request) ?? change(network, request)
  const permissions = (request: EmulatorRequest) =>
    network.authorize(request) ?? describePermission(network, request)
  return [
    { method: 'POST', path: '/:version/:phoneNumberId/calls', handle: post },
    // Graph takes a path without a version as its oldest version; a published client sends it so.
    { method: 'POST', path: '/:phoneNumberId/calls', handle: post },
    { method: 'GET', path: '/:version/:phoneNumberId/call_permissions', handle: permissions },
  ]
}

function change(network: Network, request: EmulatorRequest): EmulatorReply {
  const parsed = CallAction.safeParse(request.json())
  if (!parsed.success) return errorReply(describeProblem(parsed.error))
  return parsed.data.action === 'connect'
    ? connect(network, parsed.data)
    : terminate(network, parsed.data.call_id)
}

function connect(
  network: Network,
  { to, biz_opaque_callback_data: opaque }: z.output<typeof Connect>,
) {
  const { state, now } = network
  const phone = to.replace('+', '')
  const atMs = now()
  if (!state.phones.has(phone))
    return errorReply(graphError('undeliverable', 'The recipient is not on WhatsApp.'))
  if (!mayCall(state, phone, atMs))
    return errorReply(graphError('noCallPermission', 'The user has not granted call permission.'))
  const id = network.newCallId()
  const effect: WhatsAppRecord = {
    ...{ kind: 'call', id, to: phone, atMs },
    ...(opaque === undefined ? {} : { opaque }),
  }
  return { body: { messaging_product: 'whatsapp', calls: [{ id }] }, effect }
}

function terminate({ state, now }: Network, id: string): EmulatorReply {
  const call = state.calls.get(id)
  if (call === undefined || call.endedAtMs !== undefined)
    return errorReply(graphError('unknownCall', 'There is no such call, or it has ended.'))
  const effect: WhatsAppRecord = { kind: 'call-changed', id, state: 'ended', atMs: now() }
  return { body: { messaging_product: 'whatsapp', success: true }, effect }
}

function describePermission({ state, now }: Network, { query }: EmulatorRequest): EmulatorReply {
  const phone = (query.get('user_wa_id') ?? '').replace('+', '')
  const atMs = now()
  const isGranted = mayCall(state, phone, atMs)
  const expires = state.permissions.get(phone)?.expiresAtMs
  return {
    body: {
      messaging_product: 'whatsapp',
      permission: {
        status: isGranted ? 'temporary' : 'no_permission',
        ...(isGranted && expires !== undefined
          ? { expiration_time: Math.floor(expires / 1_000) }
          : {}),
      },
      actions: [
        {
          action_name: 'send_call_permission_request',
          can_perform_action: !isGranted && isWindowOpen(state, phone, atMs),
        },
        { action_name: 'start_call', can_perform_action: isGranted },
      ],
    },
  }
}
