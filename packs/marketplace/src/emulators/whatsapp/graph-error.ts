import type { EmulatorReply } from '@surehand/testing'

/** An error of Meta's table: the code, its title and the status of the response. */
export type GraphError = {
  readonly code: number
  readonly title: string
  readonly status: number
  readonly details: string
}

type ErrorKind = { readonly code: number; readonly title: string; readonly status: number }

const KINDS = {
  invalidToken: { code: 190, title: 'Invalid OAuth access token', status: 401 },
  invalidParameter: { code: 100, title: 'Invalid parameter', status: 400 },
  rateLimit: { code: 130429, title: 'Rate limit hit', status: 429 },
  pairRateLimit: {
    code: 131056,
    title: '(Business Account, Consumer Account) pair rate limit hit',
    status: 429,
  },
  missingParameter: { code: 131008, title: 'Required parameter is missing', status: 400 },
  invalidValue: { code: 131009, title: 'Parameter value is not valid', status: 400 },
  undeliverable: { code: 131026, title: 'Message undeliverable', status: 400 },
  outsideWindow: { code: 131047, title: 'Re-engagement message', status: 400 },
  unsupportedType: { code: 131051, title: 'Unsupported message type', status: 400 },
  mediaDownload: { code: 131052, title: 'Media download error', status: 400 },
  mediaUpload: { code: 131053, title: 'Media upload error', status: 400 },
  parameterCount: {
    code: 132000,
    title: 'Number of parameters does not match the expected number of params',
    status: 400,
  },
  unknownTemplate: {
    code: 132001,
    title: 'Template name does not exist in the translation',
    status: 404,
  },
  noCallPermission: {
    code: 138006,
    title: 'No approved call permission from the recipient',
    status: 403,
  },
  unknownCall: { code: 138001, title: 'Call not found', status: 400 },
} satisfies Readonly<Record<string, ErrorKind>>

/** An error of Meta's table with its details. */
export function graphError(kind: keyof typeof KINDS, details: string): GraphError {
  return { ...KINDS[kind], details }
}

/** The error as Graph answers it. */
export function errorReply({ code, title, status, details }: GraphError): EmulatorReply {
  return {
    status,
    body: {
      error: {
        message: `(#${code}) ${title}`,
        type: 'OAuthException',
        code,
        error_data: { messaging_product: 'whatsapp', details },
        fbtrace_id: 'Aemulated00000000000000',
      },
    },
  }
}

/** The error as it stands in the webhook of a failed message. */
export function webhookError({ code, title, details }: GraphError): object {
  return {
    code,
    title,
    message: title,
    error_data: { details },
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  }
}
