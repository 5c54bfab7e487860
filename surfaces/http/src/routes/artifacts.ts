import { ToolError } from '@surehand/core'
import { SAFE_HEADERS } from '../reply.ts'
import type { Route } from '../route.ts'

// It may contain anything, so nothing in it may run in a browser or be taken for another type.
const FILE_HEADERS = {
  ...SAFE_HEADERS,
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'attachment',
}

/** What was too large for an answer. */
export const artifactRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/artifacts/:id',
    command: 'artifacts.get',
    summary: 'Returns a file that an answer links to, to the caller of that call.',
    returns: 'file',
    async handle({ req }, caller, surface) {
      const found = await surface.files?.find(caller, req.param('id') ?? '')
      if (found === undefined)
        throw new ToolError(
          'TOOL_RESOURCE_NOT_FOUND',
          'There is no such artifact, or no longer. Call the tool again to get a new one.',
        )
      // TypeScript's BodyInit requires an ArrayBuffer that is not shared.
      return new Response(new Uint8Array(found.bytes), {
        headers: { ...FILE_HEADERS, 'content-type': found.mediaType },
      })
    },
  },
]
