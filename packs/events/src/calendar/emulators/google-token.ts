import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { EXPIRED_TOKEN } from './google-calendar.ts'

const REFRESH_TOKEN = '1//refresh'
const SCOPE = 'https://www.googleapis.com/auth/calendar.events'

/**
 * Google's token endpoint (oauth2.googleapis.com/token). The token for an authorization code has
 * already expired; a renewed token is valid.
 */
export const googleTokenEndpoints: readonly EmulatorRoute[] = [
  {
    method: 'POST',
    path: '/token',
    handle(request, log) {
      const form = new URLSearchParams(request.body)
      if (clientOf(request, form) !== 'client:client-secret')
        return { status: 401, body: { error: 'invalid_client' } }
      switch (form.get('grant_type')) {
        case 'authorization_code':
          return grantReply({ access_token: EXPIRED_TOKEN, refresh_token: REFRESH_TOKEN })
        case 'refresh_token':
          if (form.get('refresh_token') !== REFRESH_TOKEN) return revokedReply()
          return {
            ...grantReply({ access_token: `renewed-${log.effects().length}` }),
            effect: { kind: 'renewed' },
          }
        default:
          return { status: 400, body: { error: 'unsupported_grant_type' } }
      }
    },
  },
]

function clientOf({ headers }: EmulatorRequest, form: URLSearchParams): string {
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1]
  return basic === undefined
    ? `${form.get('client_id')}:${form.get('client_secret')}`
    : Buffer.from(basic, 'base64').toString()
}

function grantReply(tokens: object): EmulatorReply {
  return { body: { ...tokens, expires_in: 3599, scope: SCOPE, token_type: 'Bearer' } }
}

function revokedReply(): EmulatorReply {
  return {
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
  }
}
