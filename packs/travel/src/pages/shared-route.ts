import type { PackRequest, PackRoute } from '@surehand/core/host'
import { PlanDocument } from '../documents/write-document.ts'
import { htmlResponse, messagePage } from './page-response.ts'

const TOKEN = /^[A-Za-z0-9_-]{32}$/

/** The page of a shared link. Everyone who knows the address may read it. */
export const SHARED_ROUTE: PackRoute = {
  method: 'GET',
  path: '/travel/shared/:tenant/:token',
  auth: 'none',
  handle: showSharedPlan,
}

async function showSharedPlan({ params, services }: PackRequest): Promise<Response> {
  const { tenant = '', token = '' } = params
  if (!TOKEN.test(token)) return notFound()
  const outcome = await services.call({
    tool: 'travel.readSharedPlan',
    input: { token },
    caller: services.systemCaller(tenant),
    surface: 'page',
  })
  if (outcome.status === 'done') return htmlResponse(PlanDocument.parse(outcome.data).content)
  return outcome.status === 'failed' && outcome.error.code === 'TOOL_RESOURCE_NOT_FOUND'
    ? notFound()
    : messagePage('Not available', 'The plan cannot be shown at the moment. Try again later.', 503)
}

// The same for links that never existed, have expired, or were revoked.
function notFound(): Response {
  return messagePage(
    'No plan here',
    'This link does not lead to a plan. It may have expired or been revoked; ask the person who sent it for a new one.',
    404,
  )
}
